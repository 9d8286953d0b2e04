import { expect, test } from "vitest";
import {
  allOf,
  annotationsChanged,
  anyOf,
  type ChangeView,
  generationChanged,
  hasLabels,
  labelsChanged,
  not,
  resourceVersionChanged,
} from "./index.js";

function object(metadata: object): never {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", ...metadata } } as never;
}

function update(old: object, next: object): ChangeView {
  return { kind: "updated", old: object(old), new: object(next) };
}

test("the changed-predicates filter updates only: adds and deletes pass", () => {
  const added: ChangeView = { kind: "added", old: undefined, new: object({}) };
  const deleted: ChangeView = { kind: "deleted", old: object({}), new: undefined };
  for (const predicate of [generationChanged, labelsChanged, annotationsChanged, resourceVersionChanged]) {
    expect([predicate(added), predicate(deleted)]).toEqual([true, true]);
  }
});

test("generationChanged drops updates that do not change the generation", () => {
  expect(
    generationChanged(update({ generation: 1, resourceVersion: "1" }, { generation: 1, resourceVersion: "2" })),
  ).toBe(false);
  expect(generationChanged(update({ generation: 1 }, { generation: 2 }))).toBe(true);
});

test("labels and annotations are compared by content, and a missing map equals an empty one", () => {
  expect(labelsChanged(update({ labels: { a: "1" } }, { labels: { a: "1" } }))).toBe(false);
  expect(labelsChanged(update({}, { labels: {} }))).toBe(false);
  expect(labelsChanged(update({ labels: { a: "1" } }, {}))).toBe(true);
  expect(annotationsChanged(update({ annotations: { a: "1" } }, { annotations: { a: "2" } }))).toBe(true);
});

test("hasLabels checks the old and the new state, so that a removed label passes", () => {
  const inSelection = { labels: { team: "a", tier: "web" } };
  expect(hasLabels({ team: "a" })(update(inSelection, {}))).toBe(true);
  expect(hasLabels({ team: "a" })(update({}, inSelection))).toBe(true);
  expect(hasLabels({ team: "b" })(update(inSelection, inSelection))).toBe(false);
});

test("predicates combine", () => {
  const change = update({ generation: 1, labels: { a: "1" } }, { generation: 1, labels: { a: "2" } });
  expect(anyOf(generationChanged, labelsChanged)(change)).toBe(true);
  expect(allOf(generationChanged, labelsChanged)(change)).toBe(false);
  expect(not(generationChanged)(change)).toBe(true);
});
