import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RecordedRun } from "kubewright";
import { expect, test } from "vitest";
import { runCommand } from "./index.js";

const run: RecordedRun = {
  controller: "website",
  kind: "web.example.com/v1/Website",
  key: "default/shop",
  run: 7,
  verb: "reconcile",
  startedAt: "2026-01-01T14:02:11.000Z",
  durationMs: 12,
  causes: [
    {
      source: "reads",
      change: "updated",
      kind: "/v1/Secret",
      namespace: "default",
      name: "shop-token",
      changedPaths: [".data.token"],
    },
  ],
  reads: [],
  logs: [],
  writes: [
    {
      verb: "apply",
      kind: "apps/v1/Deployment",
      key: "default/shop",
      result: "changed",
      changes: [{ path: ".spec.template.spec.containers[web].env", change: "changed" }],
    },
  ],
  status: [],
  conditions: {
    Ready: { from: { status: "False", reason: "TokenMissing" }, to: { status: "False", reason: "Progressing" } },
  },
  outcome: { kind: "done" },
};

/** An operator's endpoint that gives one response, and records the requests. */
async function serve(status: number, body: string) {
  const requests: string[] = [];
  const server = createServer(({ url, headers }, response) => {
    requests.push(`${url} ${headers.authorization ?? ""}`.trim());
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

async function why(args: readonly string[], isTTY = false, environment: NodeJS.ProcessEnv = {}) {
  let [out, err] = ["", ""];
  const streams = {
    out: { write: (text: string) => (out += text), isTTY },
    err: { write: (text: string) => (err += text) },
    environment,
  };
  return { code: await runCommand(["why", ...args], streams), out, err };
}

test("why prints the runs of an object as text, with colours in a terminal only", async () => {
  await using operator = await serve(200, JSON.stringify({ runs: [run] }));
  const { code, out } = await why(["website/shop", "--url", operator.url]);
  expect(code).toBe(0);
  expect(out).toBe(`14:02:11  run 7  cause: read Secret default/shop-token, changed .data.token
          apply  Deployment default/shop    ~ .spec.template.spec.containers[web].env
          status Ready: False TokenMissing -> False Progressing
          done in 12 ms; next: on change
`);
  expect(operator.requests).toEqual(["/debug/runs?object=website%2Fshop&namespace=default"]);
  expect((await why(["website/shop", "--url", operator.url], true)).out).toContain("\u001B[32mdone in 12 ms\u001B[39m");
  expect((await why(["website/shop", "--url", operator.url], true, { NO_COLOR: "1" })).out).toBe(out);
});

test("why sends namespace and token, takes its address from the environment, and prints JSON", async () => {
  await using operator = await serve(200, JSON.stringify({ runs: [run] }));
  const environment = { KUBEWRIGHT_OPERATOR_URL: operator.url, KUBEWRIGHT_TOKEN: "abc" };
  const { code, out } = await why(["website/shop", "-n", "web", "-o", "json"], true, environment);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ runs: [run] });
  expect(operator.requests).toEqual(["/debug/runs?object=website%2Fshop&namespace=web Bearer abc"]);
});

test("why exits with 5 and the operator's reason when the object is unknown", async () => {
  await using operator = await serve(404, JSON.stringify({ error: "This process has no run of it" }));
  const { code, err } = await why(["website/shop", "--url", operator.url]);
  expect([code, err]).toEqual([5, 'error: Cannot explain "website/shop": This process has no run of it\n']);
});

test("why exits with 1 and the remedy when no operator is reachable, or something else responds", async () => {
  const { url } = await serve(200, "").then(async (operator) => {
    await operator[Symbol.asyncDispose]();
    return operator;
  });
  const unreachable = await why(["website/shop", "--url", url]);
  expect(unreachable.code).toBe(1);
  expect(unreachable.err).toMatch(/Cannot reach an operator at .*ECONNREFUSED.*metricsAddress.*--url/);
  for (const [status, body, reason] of [
    [404, "404 page not found\n", "is it the metrics address of a Kubewright operator?"],
    [401, "Unauthorized\n", "use --token"],
    [403, "Forbidden\n", "may not `get` the non-resource URL /debug/runs"],
    [503, JSON.stringify({ error: "The operator is starting" }), "The operator is starting"],
    [200, "<html>", "it is not the metrics address"],
  ] as const) {
    await using other = await serve(status, body);
    const { code, err } = await why(["website/shop", "--url", other.url]);
    expect(code).toBe(1);
    expect(err).toContain(reason);
  }
});

test("why exits with 2 for an object without a type, and for a missing one", async () => {
  for (const args of [["shop"], []]) expect((await why(args)).code).toBe(2);
  expect((await why(["website/shop", "--url", "ftp://x"])).err).toContain("not an http or https URL");
});
