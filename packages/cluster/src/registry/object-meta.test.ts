import { expect, test } from "vitest";
import { dropDuplicateOwners } from "./object-meta.js";

const owner = (uid: string, more: Record<string, boolean> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name: "a",
  uid,
  ...more,
});

test("duplicate ownerReferences are dropped, and the warning lists the uid of each", () => {
  const metadata = {
    ownerReferences: [owner("1"), owner("2"), owner("1"), owner("1"), owner("2", { controller: false })],
  };
  const warnings: string[] = [];
  dropDuplicateOwners(metadata, false, (message) => warnings.push(message));
  expect(metadata.ownerReferences).toEqual([owner("1"), owner("2"), owner("2", { controller: false })]);
  expect(warnings).toEqual([expect.stringMatching(/contains duplicate entries; .* observed: 1, 1$/)]);
});

test("the warning for a patch mentions mutating admission; without duplicates there is no warning", () => {
  const warnings: string[] = [];
  const warn = (message: string): unknown => warnings.push(message);
  dropDuplicateOwners({ ownerReferences: [owner("1"), owner("2")] }, true, warn);
  dropDuplicateOwners({}, true, warn);
  expect(warnings).toEqual([]);
  dropDuplicateOwners({ ownerReferences: [owner("1"), owner("1")] }, true, warn);
  expect(warnings).toEqual([expect.stringContaining("duplicate entries after mutating admission happens; ")]);
});
