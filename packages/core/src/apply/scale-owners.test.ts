import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.js";
import { ownersAfterScale, scaleOwners } from "./scale-owners.js";

const replicas = ["spec", "replicas"];
const time = "2020-01-01T00:00:00Z";

function entry(manager: string, operation: string, apiVersion: string, more: JsonObject): JsonObject {
  return { manager, operation, apiVersion, fieldsType: "FieldsV1", ...more };
}

const updater = entry("kubectl", "Update", "apps/v1", {
  time,
  fieldsV1: { "f:spec": { "f:paused": {}, "f:replicas": {} } },
});
const scaled = { object: { metadata: { managedFields: [updater] } }, replicas, apiVersion: "apps/v1" };

test("who owns the replicas owns those of the Scale", () => {
  expect(scaleOwners(scaled)).toEqual([
    { ...updater, apiVersion: "autoscaling/v1", fieldsV1: { "f:spec": { "f:replicas": {} } } },
  ]);
});

test("an updater that keeps the replicas has them in an entry of its own afterwards, without a time", () => {
  const applier = entry("hpa", "Apply", "autoscaling/v1", {
    subresource: "scale",
    fieldsV1: { "f:spec": { "f:replicas": {} } },
  });
  expect(ownersAfterScale(scaled, [applier, ...scaleOwners(scaled)])).toEqual([
    { ...applier, apiVersion: "apps/v1" },
    entry("kubectl", "Update", "apps/v1", { fieldsV1: { "f:spec": { "f:replicas": {} } } }),
    { ...updater, fieldsV1: { "f:spec": { "f:paused": {} } } },
  ]);
});

test("who lost the replicas of the Scale loses those of the object", () => {
  expect(ownersAfterScale(scaled, [])).toEqual([{ ...updater, fieldsV1: { "f:spec": { "f:paused": {} } } }]);
});
