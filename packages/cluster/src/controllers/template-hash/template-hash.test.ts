import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { templateHash } from "./index.js";

const cases = JSON.parse(
  readFileSync(new URL("./template-hash-cases.gen.json", import.meta.url), "utf8"),
) as readonly (readonly [template: unknown, hash: string, afterCollision: string])[];

test("Templates have the hashes that Go computes for them", () => {
  expect(cases.map(([template]) => templateHash(template))).toEqual(cases.map(([, hash]) => hash));
});

test("A collision gives the hash that Go computes for it", () => {
  expect(cases.map(([template], index) => templateHash(template, index + 1))).toEqual(cases.map(([, , hash]) => hash));
});

test("What does not survive the way to a Go controller does not change the hash", () => {
  const bare = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", resources: {} }] } };
  const padded = {
    metadata: { labels: { app: "web" }, annotations: {}, creationTimestamp: null },
    spec: { containers: [{ name: "c", resources: { limits: {} }, args: [], env: [] }], volumes: [] },
  };
  expect(templateHash(padded)).toBe(templateHash(bare));
  const named = JSON.parse('{"spec":{"nodeSelector":{"__proto__":"x"},"containers":[]}}') as unknown;
  expect(templateHash(named)).not.toBe(templateHash({ spec: { containers: [] } }));
});
