import { controller, defineResource, operator, z } from "kubewright";
import { expect, test } from "vitest";
import { testCluster } from "../src/index.js";
import { reconcilesHub, Website, websites } from "./converted-websites.js";

test("an operator with several versions reconciles its hub version, whatever version objects are stored, written and read in", async () => {
  await reconcilesHub("embedded");
});

test("a failed conversion fails its request, and no other", async () => {
  await using cluster = await testCluster(websites, { start: false });
  await expect(cluster.create(Website, { metadata: { name: "bad" }, spec: { image: "broken" } })).rejects.toThrow(
    /conversion webhook for web\.example\.com\/v1, Kind=Website failed: Cannot convert Website "\S+bad".*no such image/,
  );
  await cluster.create(Website, { metadata: { name: "good" }, spec: { image: "a" } });
  expect((await cluster.get(Website.v1alpha1, "good")).spec.size).toBe(1);
});

test("an object that cannot be converted closes watches of that version with an ERROR event, and no others", async () => {
  const spec = z.object({ image: z.string() });
  const fromHub = (body: { spec: { image: string } }): { spec: { image: string } } => {
    if (body.spec.image === "broken") throw new Error("no such image");
    return body;
  };
  const Page = defineResource({
    group: "web.example.com",
    kind: "Page",
    hub: "v1",
    versions: { v1: { spec }, v1alpha1: { spec } },
    convert: { v1alpha1: { toHub: (body) => body, fromHub } },
  });
  const pages = operator({ name: "pages", controllers: [controller(Page, { reconcile: () => {} })] });
  await using cluster = await testCluster(pages, { on: "embedded", start: false });
  const [hub, old] = await Promise.all([cluster.watch(Page), cluster.watch(Page.v1alpha1)]);
  await cluster.create(Page, { metadata: { name: "a" }, spec: { image: "fine" } });
  await cluster.create(Page, { metadata: { name: "b" }, spec: { image: "broken" } });
  await cluster.delete(Page, "b");
  const seen: string[] = [];
  for await (const event of hub) {
    seen.push(event.type);
    if (event.type === "DELETED") break;
  }
  expect(seen).toEqual(["ADDED", "ADDED", "DELETED"]);
  const received: object[] = [];
  for await (const event of old) received.push(event);
  expect(received).toMatchObject([
    { type: "ADDED" },
    { type: "ERROR", status: { message: expect.stringContaining("no such image") } },
  ]);
});
