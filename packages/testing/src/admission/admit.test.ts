import { defineResource, rawWebhook, webhooks, z } from "kubewright";
import { ConfigMap, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { admit } from "./index.js";

const Site = defineResource({
  group: "example.com",
  kind: "Site",
  versions: {
    v1: {
      spec: z.object({
        host: z.string().optional(),
        replicas: z.int32().max(5).optional(),
        tier: z.string().default("free"),
      }),
    },
  },
});
const admission = webhooks(Site, {
  uses: [ConfigMap],
  default: (site) => {
    site.spec.host ??= `${site.metadata.name}.example.com`;
  },
  validate: async ({ object, old, deny, warn, find, user }) => {
    if (old && old.spec.host !== object.spec.host) deny("spec.host", "cannot change");
    if (object.spec.tier === "free") warn(`${user.username} uses the free tier`);
    if (await find(ConfigMap, `block-${object.spec.host}`)) deny("spec.host", "is blocked");
  },
  validateDelete: ({ old, deny }) => {
    if (old.metadata.labels?.["keep"] === "true") deny("it is kept");
  },
});
const metadata = { name: "shop" };

test("admit returns the object with the defaults of the schema and of the webhook, and its warnings", async () => {
  const result = await admit(admission, { object: { metadata }, user: { username: "jane" } });
  expect(result).toMatchObject({
    allowed: true,
    object: { apiVersion: "example.com/v1", kind: "Site", spec: { host: "shop.example.com", tier: "free" } },
    warnings: ["jane uses the free tier"],
  });
});

test("validators see the defaulted object and the objects that they read", async () => {
  const blocked = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "block-shop.example.com" } };
  const { allowed, causes } = await admit(admission, { object: { metadata, spec: {} }, objects: [blocked] });
  expect(allowed).toBe(false);
  expect(causes).toEqual([
    { reason: "FieldValueInvalid", field: "spec.host", message: 'Invalid value: "shop.example.com": is blocked' },
  ]);
});

test("an object that the schema rejects does not reach the validators", async () => {
  const { allowed, causes } = await admit(admission, { object: { metadata, spec: { replicas: 9 } } });
  expect(allowed).toBe(false);
  expect(causes.map(({ field }) => field)).toEqual(["spec.replicas"]);
});

test("updates and deletes are recognised by the old object", async () => {
  const old = { metadata: { ...metadata, labels: { keep: "true" } }, spec: { host: "a" } };
  const changed = await admit(admission, { object: { metadata, spec: { host: "b" } }, old });
  expect(changed.status?.message).toBe(
    'Site.example.com "shop" is invalid: spec.host: Invalid value: "b": cannot change',
  );
  const deleted = await admit(admission, { old });
  expect(deleted).toMatchObject({ allowed: false, status: { message: "it is kept", code: 403 } });
});

test("built-in kinds and raw webhooks are admitted too", async () => {
  const pods = webhooks(Pod, {
    validate: ({ object, deny }) =>
      void (object.spec?.hostNetwork && deny("spec.hostNetwork", "no", { type: "Forbidden" })),
  });
  const pod = { metadata, spec: { hostNetwork: true, containers: [] } };
  expect((await admit(pods, { object: pod })).causes).toMatchObject([
    { field: "spec.hostNetwork", message: "Forbidden: no" },
  ]);
  const raw = rawWebhook({
    name: "raw",
    rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
    validate: ({ request, deny }) => deny(`${request.kind.kind} of ${request.kind.group}`),
  });
  const object = { apiVersion: "example.com/v1", kind: "Site", metadata };
  expect((await admit(raw, { object })).status?.message).toBe("Site of example.com");
});
