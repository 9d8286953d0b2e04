import { randomUUID } from "node:crypto";
import { systemClock } from "@kubewright/core/clock";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { expect, test } from "vitest";
import { administrator } from "../access/index.js";
import { Store } from "../storage/index.js";
import { createBootstrapObjects, prebuiltObjects } from "./bootstrap.js";
import { createObject } from "./create.js";
import { draftOf, metadataOf } from "./draft.js";
import { Registry } from "./registry.js";
import { emptyBody } from "./request-body.js";

function newRegistry(): Registry {
  return new Registry({
    store: new Store({ historyLimit: 100 }),
    clock: systemClock,
    random: () => 0,
    newUid: randomUUID,
    signer: { issuer: "test", sign: () => "", publicKey: () => ({}) },
  });
}

/** The object without metadata that differs between runs, and without the status, which a create does not set. */
function comparable(object: JsonObject): JsonObject {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, managedFields, ...metadata } = metadataOf(object);
  const { status: ____, ...rest } = object;
  const entries = Array.isArray(managedFields)
    ? managedFields.map((entry) => (isJsonObject(entry) ? { ...entry, time: "now" } : entry))
    : [];
  return { ...rest, metadata: { ...metadata, managedFields: entries } };
}

test("prebuilt bootstrap objects equal the objects that a create would store", async () => {
  const stored = newRegistry();
  createBootstrapObjects(stored);
  const created = newRegistry();
  for (const { group, plural, bodies } of prebuiltObjects("2001-01-01T00:00:00Z")) {
    const resource = created.find(group, "v1", plural);
    expect(resource, plural).toBeDefined();
    if (!resource) continue;
    for (const body of bodies) {
      const options = {
        dryRun: false,
        manager: "kube-apiserver",
        fieldValidation: "Strict",
        user: administrator,
        warn() {},
      } as const;
      const object = await createObject({
        context: created,
        resource,
        target: { namespace: "", name: "", subresource: "" },
        body: { ...emptyBody, value: draftOf(body) },
        options,
      });
      const name = String(metadataOf(object)["name"]);
      const prebuilt = stored.store.bucket(resource.bucket).get(name)?.object ?? {};
      expect(comparable(prebuilt), name).toEqual(comparable(object));
    }
  }
});

test("bootstrap creates the kubernetes Service, its ServiceCIDR, and an APIService for each group version", () => {
  const registry = newRegistry();
  createBootstrapObjects(registry);
  const names = (bucket: string): string[] => [...registry.store.bucket(bucket).list()].map(({ key }) => key);
  expect(names("services")).toEqual(["default/kubernetes"]);
  expect(names("servicecidrs.networking.k8s.io")).toEqual(["kubernetes"]);
  expect(names("apiservices.apiregistration.k8s.io")).toEqual(
    expect.arrayContaining(["v1.", "v1.apps", "v1.autoscaling", "v2.autoscaling", "v1.authorization.k8s.io"]),
  );
});
