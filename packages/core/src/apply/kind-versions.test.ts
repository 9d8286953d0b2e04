import { expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { applyConfiguration, conflictMessage, type KindVersions, trackUpdate } from "./index.js";

const time = "2030-01-01T00:00:00Z";
const withFields = (names: readonly string[]): Schema => ({
  type: "object",
  properties: {
    spec: { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])) },
  },
});
const schemas = new Map([
  ["x/v1", withFields(["size", "same"])],
  ["x/v2", withFields(["width", "same"])],
]);

/** v2 renames the field "size" of v1 to "width". */
const versions: KindVersions = {
  schema: (apiVersion) => schemas.get(apiVersion),
  convert(object, _, to) {
    const { size, width, ...rest } = isJsonObject(object["spec"]) ? object["spec"] : {};
    const value = size ?? width;
    return {
      ...object,
      apiVersion: to,
      spec: { ...rest, ...(value === undefined ? {} : { [to === "x/v1" ? "size" : "width"]: value }) },
    };
  },
};

const thing = (apiVersion: string, spec: JsonObject): JsonObject => ({
  apiVersion,
  kind: "Thing",
  metadata: { name: "a", uid: "1" },
  spec,
});

function apply(manager: string, live: JsonObject | undefined, config: JsonObject, force = false): JsonObject {
  const apiVersion = String(config["apiVersion"]);
  const seen = live && { ...versions.convert?.(live, "", apiVersion), metadata: live["metadata"] ?? {} };
  const schema = schemas.get(apiVersion);
  const result = applyConfiguration({ live: seen, config, manager, apiVersion, force, schema, time, versions });
  if (result.kind === "conflict") throw new Error(conflictMessage(result.conflicts));
  return result.object;
}

const owned = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    ((object["metadata"] as JsonObject)["managedFields"] as readonly JsonObject[]).map((entry) => [
      `${String(entry["manager"])} ${String(entry["apiVersion"])}`,
      (entry["fieldsV1"] as JsonObject)["f:spec"] ?? null,
    ]),
  );

test("a conflict on a field with another name in another version uses the name of its owner's version", () => {
  const live = apply("one", undefined, thing("x/v1", { size: 1 }));
  expect(() => apply("two", live, thing("x/v2", { width: 2 }))).toThrow('conflict with "one": .spec.size');
  expect(owned(apply("two", live, thing("x/v2", { width: 2 }), true))).toEqual({ "two x/v2": { "f:width": {} } });
  expect(owned(apply("two", live, thing("x/v2", { width: 1 })))).toEqual({
    "one x/v1": { "f:size": {} },
    "two x/v2": { "f:width": {} },
  });
});

test("a field applied in one version and omitted in another is removed, unless another manager owns it", () => {
  const live = apply("one", undefined, thing("x/v1", { size: 1, same: 1 }));
  expect(apply("one", live, thing("x/v2", { same: 1 }))["spec"]).toEqual({ same: 1 });
  const shared = apply("two", live, thing("x/v2", { width: 1 }));
  expect(apply("one", shared, thing("x/v2", { same: 1 }))["spec"]).toEqual({ same: 1, width: 1 });
});

test("an update takes fields from managers of another version, and managers of removed versions own nothing", () => {
  const live = apply("one", undefined, thing("x/v1", { size: 1, same: 1 }));
  const metadata = live["metadata"] as JsonObject;
  const gone = { ...(metadata["managedFields"] as readonly JsonObject[])[0], manager: "old", apiVersion: "x/v0" };
  const stored = {
    ...thing("x/v2", { width: 1, same: 1 }),
    metadata: { ...metadata, managedFields: [...(metadata["managedFields"] as readonly JsonObject[]), gone] },
  };
  const updated = trackUpdate({
    live: stored,
    object: { ...stored, spec: { width: 2, same: 1 } },
    manager: "u",
    apiVersion: "x/v2",
    schema: schemas.get("x/v2"),
    time,
    versions,
  });
  expect(owned(updated)).toEqual({ "one x/v1": { "f:same": {} }, "u x/v2": { "f:width": {} } });
});
