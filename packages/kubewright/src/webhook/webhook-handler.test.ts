import { FakeClock } from "@kubewright/core/clock";
import { ApiError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "@kubewright/core/json";
import { applyJsonPatch } from "@kubewright/core/patch";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineResource } from "../definition/index.js";
import { Deployment } from "../k8s/apps/v1.gen.js";
import { ConfigMap, Pod } from "../k8s/core/v1.gen.js";
import {
  type AdmissionOperation,
  type AdmissionReads,
  createWebhookHandler,
  rawWebhook,
  type Webhook,
  webhooks,
} from "./index.js";

const Site = defineResource({
  group: "example.com",
  kind: "Site",
  versions: {
    v1: { spec: z.object({ host: z.string().optional(), replicas: z.int32().optional(), big: z.int().optional() }) },
  },
});

const site = (spec: JsonObject, name = "shop"): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Site",
  metadata: { name, namespace: "default" },
  spec,
});

interface Sent {
  readonly operation?: AdmissionOperation;
  readonly object?: JsonObject;
  readonly old?: JsonObject;
  readonly more?: JsonObject;
  readonly apiVersion?: string;
}

const reviewOf = ({ operation = "create", object, old, more = {}, apiVersion = "admission.k8s.io/v1" }: Sent) => ({
  apiVersion,
  kind: "AdmissionReview",
  request: {
    uid: "u-1",
    kind: { group: "example.com", version: "v1", kind: "Site" },
    resource: { group: "example.com", version: "v1", resource: "sites" },
    name: "shop",
    namespace: "default",
    operation: operation.toUpperCase(),
    userInfo: { username: "jane", groups: ["team-a"] },
    object: object ?? null,
    oldObject: old ?? null,
    ...more,
  },
});

async function admitted(webhook: Webhook, path: string, sent: Sent, reads?: AdmissionReads): Promise<JsonObject> {
  const handler = createWebhookHandler({ webhooks: [webhook], ...(reads && { reads }) });
  const review = await handler.handle(path, reviewOf(sent));
  const response = review?.["response"];
  if (!isJsonObject(response)) throw new Error("no response");
  return response;
}

function patchOf(response: JsonObject): unknown {
  const { patch } = response;
  return typeof patch === "string" ? parseJson(Buffer.from(patch, "base64").toString()) : undefined;
}

const oneReplica = (object: { spec: { replicas?: number | undefined } }): void => {
  object.spec.replicas ??= 1;
};

const mutate = "/mutate-example-com-v1-site";
const validate = "/validate-example-com-v1-site";

test("a defaulter sends only what it changed; unknown fields and integers beyond 2^53 survive", async () => {
  const defaulter = webhooks(Site, {
    default: (object) => {
      object.spec.replicas ??= 1;
    },
  });
  const object = parseJson(
    '{"metadata":{"name":"a"},"spec":{"unknown":{"x":9007199254740993},"host":"h"}}',
  ) as JsonObject;
  const response = await admitted(defaulter, mutate, { object });
  expect(response["allowed"]).toBe(true);
  expect(response["patchType"]).toBe("JSONPatch");
  expect(patchOf(response)).toEqual([{ op: "add", path: "/spec/replicas", value: 1 }]);
  expect(stringifyJson(applyJsonPatch(object, patchOf(response)))).toContain("9007199254740993");
});

test("a defaulter that changes nothing sends no patch, and deletes pass it", async () => {
  const defaulter = webhooks(Site, { default: oneReplica });
  expect(await admitted(defaulter, mutate, { object: site({ replicas: 2 }) })).toEqual({ uid: "u-1", allowed: true });
  expect(await admitted(defaulter, mutate, { operation: "delete", old: site({}) })).toEqual({
    uid: "u-1",
    allowed: true,
  });
});

test("a value that the defaulter sets to undefined is removed, and dates become strings", async () => {
  const defaulter = webhooks(Site, {
    default: (object) => {
      object.spec.host = undefined;
      object.metadata.annotations = { at: new Date(0) as unknown as string };
    },
  });
  expect(patchOf(await admitted(defaulter, mutate, { object: site({ host: "h" }) }))).toEqual([
    { op: "add", path: "/metadata/annotations", value: { at: "1970-01-01T00:00:00.000Z" } },
    { op: "remove", path: "/spec/host" },
  ]);
});

test("denied fields are reported together, as the API server reports its own", async () => {
  const validator = webhooks(Site, {
    validate: ({ deny }) => {
      deny("spec.replicas", "must be even");
      deny("spec.host", "is needed");
      deny("spec.host", "unknown host", { type: "NotSupported", value: "x" });
    },
  });
  const response = await admitted(validator, validate, { object: site({ replicas: 3 }) });
  expect(response).toEqual({
    uid: "u-1",
    allowed: false,
    status: {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      reason: "Invalid",
      code: 422,
      message:
        'Site.example.com "shop" is invalid: [spec.replicas: Invalid value: 3: must be even, spec.host: Required value: is needed, spec.host: Unsupported value: "x": unknown host]',
      details: {
        name: "shop",
        group: "example.com",
        kind: "Site",
        causes: [
          { reason: "FieldValueInvalid", message: "Invalid value: 3: must be even", field: "spec.replicas" },
          { reason: "FieldValueRequired", message: "Required value: is needed", field: "spec.host" },
          { reason: "FieldValueNotSupported", message: 'Unsupported value: "x": unknown host', field: "spec.host" },
        ],
      },
    },
  });
});

test("a request can be denied as a whole, with a reason, a code and causes", async () => {
  const validator = webhooks(Site, { validate: ({ deny }) => deny("not today") });
  expect(await admitted(validator, validate, { object: site({}) })).toMatchObject({
    allowed: false,
    status: { code: 403, reason: "Forbidden", message: "not today" },
  });
  const causes = [{ field: "spec.host", reason: "FieldValueDuplicate", message: "taken by other" }];
  const other = webhooks(Site, {
    validate: ({ deny }) => deny({ message: "taken", reason: "Conflict", causes, retryAfterSeconds: 3 }),
  });
  expect(await admitted(other, validate, { object: site({}) })).toMatchObject({
    allowed: false,
    status: { code: 409, reason: "Conflict", message: "taken", details: { causes, retryAfterSeconds: 3 } },
  });
});

test("warnings and audit annotations are returned with the verdict", async () => {
  const validator = webhooks(Site, {
    validate: ({ warn, audit, object }) => {
      if (object.spec.host === undefined) warn("spec.host will be needed");
      audit("host", "none");
    },
  });
  expect(await admitted(validator, validate, { object: site({}) })).toEqual({
    uid: "u-1",
    allowed: true,
    warnings: ["spec.host will be needed"],
    auditAnnotations: { host: "none" },
  });
});

test("a validator sees the old object, the user, dry run and options", async () => {
  const seen: unknown[] = [];
  const validator = webhooks(Site, {
    validate: ({ old, user, dryRun, options, operation, name, namespace }) => {
      seen.push(
        operation,
        old?.spec.host,
        user.username,
        user.groups,
        dryRun,
        options["fieldManager"],
        name,
        namespace,
      );
    },
    validateDelete: ({ old, operation }) => void seen.push(operation, old.spec.host),
  });
  const more = { dryRun: true, options: { kind: "UpdateOptions", fieldManager: "kubectl" } };
  await admitted(validator, validate, { operation: "update", object: site({}), old: site({ host: "a" }), more });
  await admitted(validator, validate, { operation: "delete", old: site({ host: "b" }) });
  expect(seen).toEqual(["update", "a", "jane", ["team-a"], true, "kubectl", "shop", "default", "delete", "b"]);
});

test("objects of validators are frozen", async () => {
  const validator = webhooks(Site, {
    validate: ({ object }) => {
      (object.spec as { host?: string }).host = "x";
    },
  });
  const response = await admitted(validator, validate, { object: site({}) });
  expect(response).toMatchObject({ allowed: false, status: { code: 500 } });
});

test("an ApiError keeps its status; any other error is a denial with code 500 that is counted", async () => {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 409 } as const;
  const conflict = webhooks(Site, {
    validate: () => {
      throw new ApiError(409, "Cannot read", { ...status, reason: "Conflict", message: "changed" });
    },
  });
  expect(await admitted(conflict, validate, { object: site({}) })).toMatchObject({
    allowed: false,
    status: { code: 409, reason: "Conflict", message: "changed" },
  });
  const failures: unknown[] = [];
  const broken = webhooks(Site, {
    validate: async () => {
      throw new Error("no database");
    },
  });
  const handler = createWebhookHandler({
    webhooks: [broken],
    onFailure: (path, error) => failures.push(path, String(error)),
  });
  expect(await handler.handle(validate, reviewOf({ object: site({}) }))).toMatchObject({
    response: {
      uid: "u-1",
      allowed: false,
      status: { code: 500, reason: "InternalError", message: 'webhook "sites.v1.example.com" failed: no database' },
    },
  });
  expect(failures).toEqual([validate, "Error: no database"]);
});

test("a defaulter that fails on an object without its required fields reports the schema's errors", async () => {
  const Strict = defineResource({
    group: "example.com",
    kind: "Site",
    versions: { v1: { spec: z.object({ host: z.string(), replicas: z.int32().optional() }) } },
  });
  const defaulter = webhooks(Strict, { default: oneReplica });
  const { spec: _, ...withoutSpec } = site({});
  expect(await admitted(defaulter, mutate, { object: withoutSpec })).toMatchObject({
    allowed: false,
    status: { code: 422, reason: "Invalid", details: { causes: [{ field: "spec", message: "Required value" }] } },
  });
});

test("a defaulter that returns a new object instead of changing its argument fails", async () => {
  const defaulter = webhooks(Site, { default: (object) => ({ ...object }) as never });
  expect(await admitted(defaulter, mutate, { object: site({}) })).toMatchObject({
    allowed: false,
    status: { code: 500 },
  });
});

test("a handler is aborted after its timeout, and when the client disconnects", async () => {
  const clock = new FakeClock();
  const reasons: string[] = [];
  const slow = webhooks(Site, {
    timeout: "5s",
    validate: ({ signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve(void reasons.push(String(signal.reason)))),
      ),
  });
  const handler = createWebhookHandler({ webhooks: [slow], clock });
  const handled = handler.handle(validate, reviewOf({ object: site({}) }));
  clock.advance(5_000);
  expect(await handled).toMatchObject({ response: { allowed: false, status: { code: 504, reason: "Timeout" } } });
  const gone = new AbortController();
  const dropped = handler.handle(validate, reviewOf({ object: site({}) }), { signal: gone.signal });
  gone.abort(new Error("gone"));
  expect(await dropped).toMatchObject({ response: { allowed: false, status: { code: 504 } } });
  expect(reasons).toEqual(["OperatorError: it did not return within 5 s", "Error: gone"]);
  expect(clock.pendingTimers).toBe(0);
});

test("AdmissionReview v1beta1 gets a response of its version; other bodies are denied with code 400", async () => {
  const handler = createWebhookHandler({ webhooks: [webhooks(Site, { validate: () => {} })] });
  const beta = reviewOf({ object: site({}), apiVersion: "admission.k8s.io/v1beta1" });
  expect(await handler.handle(validate, beta)).toEqual({
    apiVersion: "admission.k8s.io/v1beta1",
    kind: "AdmissionReview",
    response: { uid: "u-1", allowed: true },
  });
  const rejected = [
    reviewOf({ object: site({}), apiVersion: "admission.k8s.io/v2" }),
    { ...reviewOf({}), kind: "Other" },
    { ...reviewOf({}), request: null },
    reviewOf({ more: { operation: "LIST" } }),
    reviewOf({}),
    null,
  ];
  for (const body of rejected)
    expect(await handler.handle(validate, body)).toMatchObject({ response: { allowed: false, status: { code: 400 } } });
  expect(await handler.handle("/validate-other", beta)).toBeUndefined();
});

test("a request for another resource is denied: the webhook configuration is wrong", async () => {
  const more = { resource: { group: "", version: "v1", resource: "pods" } };
  const response = await admitted(webhooks(Site, { validate: () => {} }), validate, { object: site({}), more });
  expect(response).toMatchObject({ allowed: false, status: { code: 400 } });
});

test("paths are those of controller-runtime, and two webhooks of one path need names", () => {
  const pod = webhooks(Pod, { default: () => {}, validate: () => {} });
  const exec = webhooks(Pod, { subresource: "exec", connect: () => {} });
  const apps = webhooks(Deployment, { validate: () => {} });
  const any = rawWebhook({
    name: "any",
    rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
    validate: () => {},
  });
  expect(createWebhookHandler({ webhooks: [pod, exec, apps, any] }).paths).toEqual([
    "/mutate--v1-pod",
    "/validate--v1-pod",
    "/validate--v1-pod-exec",
    "/validate-apps-v1-deployment",
    "/validate-any",
  ]);
  expect(() => createWebhookHandler({ webhooks: [pod, pod] })).toThrow('two webhooks have the path "/mutate--v1-pod"');
  const named = webhooks(Pod, { name: "quota", validate: () => {} });
  expect(createWebhookHandler({ webhooks: [pod, named] }).paths).toContain("/validate--v1-pod-quota");
});

test("a webhook without functions, with a bad timeout or with a use that writes cannot be made", async () => {
  const { may } = await import("../reconcile/index.js");
  expect(() => webhooks(Site, {})).toThrow("it has none of");
  expect(() => webhooks(Site, { validate: () => {}, timeout: "31s" })).toThrow('from "1s" to "30s"');
  expect(() => webhooks(Site, { validate: () => {}, uses: [may(Pod, "delete")] })).toThrow("it may only read");
  expect(() => webhooks(Pod, { connect: () => {} })).toThrow("needs a `subresource`");
});

test("reads go through what the operator connected, and wait for it", async () => {
  const reader = webhooks(Site, {
    uses: [ConfigMap],
    validate: async ({ find, deny }) => {
      if ((await find(ConfigMap, "quota"))?.data?.["closed"] === "true") deny("closed");
    },
  });
  const handler = createWebhookHandler({ webhooks: [reader] });
  const handled = handler.handle(validate, reviewOf({ object: site({}) }));
  const asked: unknown[] = [];
  handler.connect({
    get: () => Promise.reject(new Error("not called")),
    find: async (kind, name, { namespace }) => {
      asked.push(kind.id, name, namespace);
      return { data: { closed: "true" } };
    },
    list: async () => [],
  });
  expect(await handled).toMatchObject({ response: { allowed: false, status: { message: "closed" } } });
  expect(asked).toEqual(["/v1/ConfigMap", "quota", "default"]);
});

test("a raw webhook takes requests of any kind", async () => {
  const labels = rawWebhook({
    name: "labels",
    rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
    operations: ["create", "delete"],
    default: (object, { request }) => {
      object["metadata"] = { ...(object["metadata"] as object), labels: { kind: request.kind.kind } };
    },
    validate: ({ operation, deny }) => {
      if (operation === "delete") deny("kept");
    },
  });
  const more = {
    resource: { group: "", version: "v1", resource: "pods" },
    kind: { group: "", version: "v1", kind: "Pod" },
  };
  expect(patchOf(await admitted(labels, "/mutate-labels", { object: site({}), more }))).toEqual([
    { op: "add", path: "/metadata/labels", value: { kind: "Pod" } },
  ]);
  expect(await admitted(labels, "/validate-labels", { operation: "delete", old: site({}), more })).toMatchObject({
    allowed: false,
    status: { code: 403, message: "kept" },
  });
});
