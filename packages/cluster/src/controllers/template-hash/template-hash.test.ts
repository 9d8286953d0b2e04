import { expect, test } from "vitest";
import { isSameTemplate, templateHash } from "./index.js";

const bare = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", resources: {} }] } };

test("templateHash and isSameTemplate ignore empty values and the order of keys", () => {
  const padded = {
    spec: { containers: [{ resources: { limits: {} }, name: "c", args: [], env: [] }], volumes: [] },
    metadata: { labels: { app: "web" }, annotations: {}, creationTimestamp: null },
  };
  expect(templateHash(padded)).toBe(templateHash(bare));
  expect(isSameTemplate(padded, bare)).toBe(true);
});

test("templateHash differs after a change and after a collision", () => {
  const changed = JSON.parse('{"spec":{"nodeSelector":{"__proto__":"x"},"containers":[]}}') as unknown;
  const hashes = [bare, changed, { spec: { containers: [] } }].map((template) => templateHash(template));
  expect(new Set([...hashes, templateHash(bare, 1)]).size).toBe(4);
});

test("templateHash uses the characters that Kubernetes uses", () => {
  expect(templateHash(bare)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
});

test("isSameTemplate ignores the label pod-template-hash", () => {
  const labelled = { ...bare, metadata: { labels: { app: "web", "pod-template-hash": "x" } } };
  expect(isSameTemplate(labelled, bare)).toBe(true);
});
