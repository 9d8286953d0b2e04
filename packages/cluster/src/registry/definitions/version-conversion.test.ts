import { randomUUID } from "node:crypto";
import { systemClock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import { expect, test } from "vitest";
import { administrator } from "../../access/index.js";
import { Store } from "../../storage/index.js";
import { applyObject } from "../apply.js";
import { updateObject } from "../change.js";
import { createObject } from "../create.js";
import { deleteObject } from "../delete.js";
import type { Draft } from "../draft.js";
import { parseListQuery } from "../list-query.js";
import { getObject, listObjects } from "../read.js";
import { Registry } from "../registry.js";
import { emptyBody } from "../request-body.js";
import type { Resource } from "../resource.js";
import type { WriteRequest } from "../write-context.js";
import { customResources } from "./custom-resource.js";

const schema = { openAPIV3Schema: { type: "object", properties: { color: { type: "string" } } } };
const definition = {
  metadata: { name: "samples.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    versions: [
      { name: "v1", served: true, storage: true, schema },
      { name: "v2", served: true, storage: false, schema },
    ],
    conversion: { strategy: "Webhook" },
  },
  status: { acceptedNames: { kind: "Sample", listKind: "SampleList", plural: "samples", singular: "sample" } },
};

const convert = (object: JsonObject, apiVersion: string): JsonObject => ({ ...object, apiVersion });
const webhook = {
  convert: async (objects: readonly JsonObject[], apiVersion: string): Promise<JsonObject[]> =>
    objects.map((object) => convert(object, apiVersion)),
};

function resourceOf(version: string, converter: Parameters<typeof customResources>[1]): Resource {
  const resource = customResources(definition, converter).find((one) => one.version === version);
  if (!resource) throw new Error(`Version ${version} must be served`);
  return resource;
}

function startRegistry(): Registry {
  return new Registry({
    store: new Store({ historyLimit: 100 }),
    clock: systemClock,
    random: () => 0,
    newUid: randomUUID,
    signer: { issuer: "test", sign: () => "", publicKey: () => ({}) },
  });
}

/** Calls every verb once, on one object. A synchronous result is not a promise. */
function runVerbs(resource: Resource): unknown[] {
  const context = startRegistry();
  const target = { namespace: "default", name: "a" };
  const write = (value: Draft, name: string): WriteRequest => ({
    context,
    resource,
    target: { namespace: "default", name, subresource: "" },
    body: { ...emptyBody, value: { apiVersion: `example.com/${resource.version}`, kind: "Sample", ...value } },
    options: { dryRun: false, manager: "test", fieldValidation: "Strict", user: administrator, warn() {} },
  });
  const created = createObject(write({ metadata: { name: "a" }, color: "red" }, ""));
  if (created instanceof Promise) return [created];
  const { resourceVersion } = created["metadata"] as { readonly resourceVersion: string };
  const options = { dryRun: false, user: administrator, warn() {} };
  return [
    created,
    updateObject(write({ metadata: { name: "a", resourceVersion }, color: "blue" }, "a")),
    applyObject(write({ metadata: { name: "a" }, color: "blue" }, "a")),
    getObject(context.store, resource, target),
    listObjects(context.store, resource, "default", parseListQuery(resource, {}, false)),
    deleteObject(context, resource, target, options),
  ];
}

test.each([
  ["no converter", "v2", undefined],
  ["an in-process converter", "v2", convert],
  ["a webhook, through the storage version", "v1", webhook],
])("with %s every verb completes synchronously", (_, version, converter) => {
  const results = runVerbs(resourceOf(version, converter));
  expect(results).toHaveLength(6);
  for (const result of results) expect(result).not.toBeInstanceOf(Promise);
});

test("a write to a version that a webhook converts is asynchronous", async () => {
  const [created] = runVerbs(resourceOf("v2", webhook));
  expect(created).toBeInstanceOf(Promise);
  expect(await created).toMatchObject({ apiVersion: "example.com/v2", color: "red" });
});

test("only a resource with a conversion webhook loads objects", () => {
  expect(resourceOf("v2", undefined).load).toBeUndefined();
  expect(resourceOf("v2", convert).load).toBeUndefined();
  expect(resourceOf("v2", webhook).load).toBeDefined();
});

test("an object that a webhook converts must be loaded before it is read", async () => {
  const stored = { apiVersion: "example.com/v1", kind: "Sample", metadata: { name: "a" }, color: "red" };
  const resource = resourceOf("v2", webhook);
  expect(() => resource.fromStored(stored)).toThrow("it must be loaded first");
  await resource.load?.([stored]);
  expect(resource.fromStored(stored)).toMatchObject({ apiVersion: "example.com/v2", color: "red" });
  expect(resource.load?.([stored])).toBeUndefined();
});

test("a webhook that returns too few objects fails, and is called again for the next request", async () => {
  const stored = { apiVersion: "example.com/v1", kind: "Sample", metadata: { name: "a" } };
  let results: JsonObject[] = [];
  const resource = resourceOf("v2", { convert: async () => results });
  await expect(resource.load?.([stored])).rejects.toThrow(
    "conversion webhook for example.com/v1, Kind=Sample failed: returned 0 objects, expected 1",
  );
  results = [stored];
  await resource.load?.([stored]);
  expect(resource.fromStored(stored)).toMatchObject({ apiVersion: "example.com/v2" });
});
