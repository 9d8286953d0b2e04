import { randomUUID } from "node:crypto";
import { systemClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { administrator, allowAll } from "../access/index.js";
import {
  createBootstrapObjects,
  createObject,
  type Draft,
  emptyBody,
  getStored,
  patchObject,
  Registry,
  type Resource,
  updateObject,
  type WriteRequest,
} from "../registry/index.js";
import { Store } from "../storage/index.js";
import { AdmissionChain, type AdmissionPlugin, admissionPlugins } from "./index.js";
import { replaceAdmitted } from "./matching/index.js";

function startRegistry(...plugins: readonly AdmissionPlugin[]): Registry {
  const registry = new Registry({
    store: new Store({ historyLimit: 100 }),
    clock: systemClock,
    random: () => 0,
    newUid: randomUUID,
    signer: { issuer: "test", sign: () => "", publicKey: () => ({}) },
  });
  const builtin = admissionPlugins({ registry, authorizer: allowAll }, { disable: ["ServiceAccount"] });
  registry.useAdmission(new AdmissionChain(registry, [...builtin, ...plugins]));
  createBootstrapObjects(registry);
  return registry;
}

function write(registry: Registry, value: Draft, name = ""): WriteRequest {
  const resource = registry.find("", "v1", "configmaps");
  if (!resource) throw new Error("ConfigMaps must be served");
  return {
    context: registry,
    resource,
    target: { namespace: "default", name, subresource: "" },
    body: { ...emptyBody, value },
    options: { dryRun: false, manager: "test", fieldValidation: "Strict", user: administrator, warn() {} },
  };
}

const configMap = (data: Record<string, string>): Draft => ({ metadata: { name: "a" }, data });
const dataOf = (registry: Registry): unknown =>
  getStored(registry.store, write(registry, {}).resource, { namespace: "default", name: "a" })["data"];

test("without an asynchronous plugin a write completes synchronously", () => {
  const registry = startRegistry();
  expect(createObject(write(registry, configMap({ k: "1" })))).not.toBeInstanceOf(Promise);
  expect(dataOf(registry)).toEqual({ k: "1" });
});

test("plugins run in order, all mutating ones before the validating ones", async () => {
  const ran: string[] = [];
  const plugin = (name: string): AdmissionPlugin => ({
    name,
    mayWait: true,
    resources: ["configmaps"],
    mutate: async () => void ran.push(`${name} mutates`),
    validate: () => void ran.push(`${name} validates`),
  });
  const registry = startRegistry(plugin("first"), plugin("second"));
  await createObject(write(registry, configMap({})));
  expect(ran).toEqual(["first mutates", "second mutates", "first validates", "second validates"]);
});

test("an object that a plugin replaces is decoded and defaulted again", async () => {
  const registry = startRegistry({
    name: "Replaces",
    resources: ["configmaps"],
    mutate(request) {
      const changed = { ...request.object, data: { k: "replaced" }, unknown: true };
      replaceAdmitted(request, changed, (why) => new Error(why));
    },
  });
  await createObject(write(registry, configMap({ k: "sent" })));
  expect(dataOf(registry)).toEqual({ k: "replaced" });
});

test("an asynchronous rejection rejects the write, and nothing is stored", async () => {
  const registry = startRegistry({
    name: "Denies",
    mayWait: true,
    resources: ["configmaps"],
    validate: () => Promise.reject(new Error("denied")),
  });
  await expect(createObject(write(registry, configMap({})))).rejects.toThrow("denied");
  expect(() => dataOf(registry)).toThrow("not found");
});

test("a patch whose object changes while admission is awaited is retried on the new version", async () => {
  let attempts = 0;
  const registry: Registry = startRegistry({
    name: "Slow",
    mayWait: true,
    resources: ["configmaps"],
    async mutate({ operation, user }) {
      if (operation !== "UPDATE" || user.name !== "slow") return;
      attempts++;
      // Another client writes meanwhile, once.
      if (attempts === 1) await updateObject(write(registry, configMap({ theirs: "1" }), "a"));
    },
  });
  await createObject(write(registry, configMap({})));
  const patch = write(registry, { data: { ours: "1" } }, "a");
  const slow = { ...patch, options: { ...patch.options, user: { ...administrator, name: "slow" } } };
  await patchObject(slow, "application/merge-patch+json");
  expect(attempts).toBe(2);
  expect(dataOf(registry)).toEqual({ theirs: "1", ours: "1" });
});

test("an update with a resourceVersion is a conflict if the object changes while admission is awaited", async () => {
  const registry: Registry = startRegistry({
    name: "Slow",
    mayWait: true,
    resources: ["configmaps"],
    async mutate({ operation, user }) {
      if (operation === "UPDATE" && user.name === "slow")
        await updateObject(write(registry, configMap({ theirs: String(Math.random()) }), "a"));
    },
  });
  const created = await createObject(write(registry, configMap({})));
  const { resourceVersion = "" } = (created["metadata"] ?? {}) as { readonly resourceVersion?: string };
  const update = write(registry, { metadata: { name: "a", resourceVersion }, data: { ours: "1" } }, "a");
  const slow = { ...update, options: { ...update.options, user: { ...administrator, name: "slow" } } };
  await expect(updateObject(slow)).rejects.toThrow("the object has been modified");
});

test("all mutating plugins run once more if one of them requires it, and no third time", async () => {
  const ran: string[] = [];
  const plugin = (name: string, requires: boolean): AdmissionPlugin => ({
    name,
    resources: ["configmaps"],
    mutate(_request, _context, reinvocation) {
      ran.push(reinvocation.isReinvocation ? `${name} again` : name);
      if (requires) reinvocation.require();
    },
  });
  await createObject(write(startRegistry(plugin("a", false), plugin("b", true)), configMap({})));
  expect(ran).toEqual(["a", "b", "a again", "b again"]);
});

test("whether a plugin may wait can depend on the resource", () => {
  const registry = startRegistry({ name: "Waits", mayWait: ({ plural }) => plural === "secrets" });
  const { admission } = registry;
  const resource = (plural: string): Resource => registry.find("", "v1", plural) as Resource;
  expect(admission.mayWait(resource("secrets"))).toBe(true);
  expect(admission.mayWait(resource("configmaps"))).toBe(false);
});
