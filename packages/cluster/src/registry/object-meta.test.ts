import { expect, test } from "vitest";
import { dropDuplicateOwners } from "./object-meta.js";

const owner = (uid: string, more: Record<string, boolean> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name: "a",
  uid,
  ...more,
});

test("owners that are alike in every field stay once, and each repetition is told of", () => {
  const metadata = {
    ownerReferences: [owner("1"), owner("2"), owner("1"), owner("1"), owner("2", { controller: false })],
  };
  const warnings: string[] = [];
  dropDuplicateOwners(metadata, false, (text) => warnings.push(text));
  expect(metadata.ownerReferences).toEqual([owner("1"), owner("2"), owner("2", { controller: false })]);
  expect(warnings).toEqual([expect.stringMatching(/contains duplicate entries; .* observed: 1, 1$/)]);
});

test("the warning of a patch says that it comes late; without repetitions there is none", () => {
  const warnings: string[] = [];
  const warn = (text: string): unknown => warnings.push(text);
  dropDuplicateOwners({ ownerReferences: [owner("1"), owner("2")] }, true, warn);
  dropDuplicateOwners({}, true, warn);
  expect(warnings).toEqual([]);
  dropDuplicateOwners({ ownerReferences: [owner("1"), owner("1")] }, true, warn);
  expect(warnings).toEqual([expect.stringContaining("duplicate entries after mutating admission happens; ")]);
});
