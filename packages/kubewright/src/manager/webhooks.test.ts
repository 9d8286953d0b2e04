import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { expect, test } from "vitest";
import { startWorld } from "../../test/embedded-world.js";
import { select } from "../cache/index.js";
import { ConfigMap, Namespace, Secret } from "../k8s/core/v1.gen.js";
import { live } from "../reconcile/index.js";
import { createWebhookHandler, webhooks } from "../webhook/index.js";
import { operator } from "./operator.js";

const path = "/validate--v1-configmap";
const review = {
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: {
    uid: "u-1",
    kind: { group: "", version: "v1", kind: "ConfigMap" },
    resource: { group: "", version: "v1", resource: "configmaps" },
    name: "new",
    namespace: "default",
    operation: "CREATE",
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new" } },
  },
};

const reading = webhooks(ConfigMap, {
  uses: [select(ConfigMap, { labels: { quota: "yes" } }), live(Secret)],
  validate: async ({ find, get, list, deny, namespace }) => {
    const seen = await list(ConfigMap);
    const found = await find(ConfigMap, "limits");
    const other = await find(ConfigMap, { namespace: "other", name: "limits" });
    const secret = await get(Secret, "key");
    deny([namespace, seen.length, found?.data?.["max"], other?.data?.["max"], secret.metadata.name].join(" "));
  },
});

function messageOf(response: JsonObject | undefined): unknown {
  const body = response?.["response"];
  const status = isJsonObject(body) ? body["status"] : undefined;
  return isJsonObject(status) ? status["message"] : undefined;
}

test("webhooks read what they declared from the operator's caches, before which they wait, and live", async () => {
  await using world = await startWorld();
  const { client } = world;
  const labels = { quota: "yes" };
  await client.create(Namespace, { metadata: { name: "other" } });
  await client.create(ConfigMap, { metadata: { name: "limits", labels }, data: { max: "3" } });
  await client.create(ConfigMap, { metadata: { name: "limits", namespace: "other", labels }, data: { max: "4" } });
  await client.create(ConfigMap, { metadata: { name: "unlabelled" } });
  await client.create(Secret, { metadata: { name: "key" } });
  const quota = operator({ name: "quota", webhooks: [reading] });
  const webhookHandler = createWebhookHandler(quota);
  const early = webhookHandler.handle(path, review);
  await using _running = await quota.start({ ...world.options, webhookHandler });
  expect(messageOf(await early)).toBe("default 1 3 4 key");
  expect(quota.rules()).toEqual([
    { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] },
    { apiGroups: [""], resources: ["secrets"], verbs: ["get"] },
  ]);
});

test("what a webhook did not declare is rejected at run time too, and a missing object has the server's status", async () => {
  await using world = await startWorld();
  const awaited = webhooks(ConfigMap, {
    name: "awaited",
    uses: [ConfigMap],
    validate: async ({ find, get, object }) => {
      if (object.metadata.name === "new") await find(Secret as never, "key");
      await get(ConfigMap, "none");
    },
  });
  const quota = operator({ name: "quota", webhooks: [awaited] });
  const webhookHandler = createWebhookHandler(quota);
  await using _running = await quota.start({ ...world.options, webhookHandler });
  expect(messageOf(await webhookHandler.handle(`${path}-awaited`, review))).toContain("declare /v1/Secret in `uses`");
  const other = { ...review, request: { ...review.request, object: { metadata: { name: "other" } } } };
  expect(await webhookHandler.handle(`${path}-awaited`, other)).toMatchObject({
    response: { status: { code: 404, reason: "NotFound", message: 'configmaps "none" not found' } },
  });
});

test("an operator rejects two webhooks with one path", () => {
  const validating = webhooks(ConfigMap, { validate: () => {} });
  expect(() => operator({ name: "twice", webhooks: [validating, validating] })).toThrow(`the path "${path}"`);
});
