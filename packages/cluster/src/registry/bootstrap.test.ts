import { randomUUID } from "node:crypto";
import { systemClock } from "@kubewright/core/clock";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { expect, test } from "vitest";
import { administrator } from "../access/index.js";
import { Store } from "../storage/index.js";
import { createBootstrapObjects, readyObjects } from "./bootstrap.js";
import { createObject } from "./create.js";
import { draftOf, metadataOf } from "./draft.js";
import { Registry } from "./registry.js";
import { emptyBody } from "./request-body.js";

function freshRegistry(): Registry {
  return new Registry({
    store: new Store({ historyLimit: 100 }),
    clock: systemClock,
    random: () => 0,
    newUid: randomUUID,
    signer: { issuer: "nobody", sign: () => "", publicKey: () => ({}) },
  });
}

/** Without what differs from run to run, and without the status, which no create sets. */
function comparable(object: JsonObject): JsonObject {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, managedFields, ...metadata } = metadataOf(object);
  const { status: ____, ...rest } = object;
  const owners = Array.isArray(managedFields)
    ? managedFields.map((entry) => (isJsonObject(entry) ? { ...entry, time: "now" } : entry))
    : [];
  return { ...rest, metadata: { ...metadata, managedFields: owners } };
}

test("what a fresh server stores ready is what creating it would store", async () => {
  const stored = freshRegistry();
  createBootstrapObjects(stored);
  const created = freshRegistry();
  for (const { group, plural, bodies } of readyObjects("2001-01-01T00:00:00Z")) {
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
      const ready = stored.store.bucket(resource.bucket).get(name)?.object ?? {};
      expect(comparable(ready), name).toEqual(comparable(object));
    }
  }
});

test("a fresh server holds a Service of its own, its range, and an entry for each group version", () => {
  const registry = freshRegistry();
  createBootstrapObjects(registry);
  const names = (bucket: string): string[] => [...registry.store.bucket(bucket).list()].map(({ key }) => key);
  expect(names("services")).toEqual(["default/kubernetes"]);
  expect(names("servicecidrs.networking.k8s.io")).toEqual(["kubernetes"]);
  expect(names("apiservices.apiregistration.k8s.io")).toEqual(
    expect.arrayContaining(["v1.", "v1.apps", "v1.autoscaling", "v2.autoscaling", "v1.authorization.k8s.io"]),
  );
});
