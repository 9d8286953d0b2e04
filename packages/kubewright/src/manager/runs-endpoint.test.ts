import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Tenant, Website } from "../../test/website.js";
import { RunHistory } from "../history/index.js";
import { controller, rawController } from "../reconcile/index.js";
import { isGuarded } from "./guarded-address.js";
import { type RunsSource, runsHandler } from "./runs-endpoint.js";

const website = controller(Website, { reconcile: () => {} });
const tenant = controller(Tenant, { reconcile: () => {} });
const zones = rawController({ name: "zones", keys: ["a"], reconcile: () => {} });
const signal = new AbortController().signal;

async function ask(source: RunsSource | undefined, query: string, isServed = true) {
  const handle = runsHandler(() => source, isServed);
  const url = new URL(`http://localhost/debug/runs?${query}`);
  const { status = 0, body = "" } = (await handle(url, { method: "GET", authorization: undefined, signal })) ?? {};
  return { status, body: JSON.parse(String(body)) };
}

test("the last runs of an object are served by kind, plural, and kind with group", async () => {
  const history = new RunHistory();
  await using running = await runController(website, { install: [Website], observe: { history } });
  await running.client.create(Website, shop);
  await running.settle();
  const source: RunsSource = {
    controllers: [website],
    runsOf: ({ controller: name, key }) => history.find((object) => object.controller === name && object.key === key),
  };
  for (const type of ["website", "Website", "websites", "website.web.example.com"]) {
    const { status, body } = await ask(source, `object=${type}/shop&namespace=default`);
    expect([status, body.runs[0].key, body.runs[0].outcome]).toEqual([200, "default/shop", { kind: "done" }]);
  }
  expect(await ask(source, "object=website/shop&namespace=other")).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('This process has no run of website "shop" in namespace "other"') },
  });
});

test("cluster-scoped objects and keys of raw controllers need no namespace", async () => {
  const asked: unknown[] = [];
  const source: RunsSource = {
    controllers: [tenant, zones],
    runsOf: (which) => {
      asked.push(which);
      return [];
    },
  };
  await ask(source, "object=tenant/a&namespace=default");
  await ask(source, "object=zones/eu/west&namespace=default");
  expect(asked).toEqual([
    { controller: "tenant", key: "a" },
    { controller: "zones", key: "eu/west" },
  ]);
});

test("an unknown kind, an incomplete request, an open address and a starting operator are failures with the remedy", async () => {
  const source = { controllers: [website, zones], runsOf: () => [] };
  expect(await ask(source, "object=foo/a")).toEqual({
    status: 404,
    body: { error: 'No controller of this operator reconciles "foo"; it reconciles website, zones' },
  });
  for (const query of ["", "object=website", "object=/shop", "object=website/"])
    expect((await ask(source, query)).status).toBe(400);
  expect(await ask(source, "object=website/shop", false)).toMatchObject({
    status: 403,
    body: { error: expect.stringContaining("`secureMetrics`") },
  });
  expect((await ask(undefined, "object=website/shop")).status).toBe(503);
  expect(
    ["127.0.0.1:1", "localhost:1", "[::1]:1", ":1", "0.0.0.0:1"].map((address) => isGuarded(address, false)),
  ).toEqual([true, true, true, false, false]);
});
