import type { JsonObject } from "@kubewright/core/json";
import { apply, jsonPatch, mergePatch, post, put, remove, type Steps, subject, wording } from "../test-case.js";
import { configMap, configMaps, deployment, deployments } from "./sample-objects.js";
import { cleaningUp, hook, mutating, rule, validating } from "./webhook-steps.js";

const created = { ...post(configMaps, configMap("a")), silent: true };

/** The Status of a denial, by a sentence about it. */
const statuses: Readonly<Record<string, JsonObject>> = {
  "without a Status": {},
  "with a message": { message: "no" },
  "with only a reason": { reason: "Because" },
  "with a reason and a message": { reason: "Forbidden", message: "no" },
  "with a code": { code: 403, message: "no" },
  "with a code below 400": { code: 200, message: "no" },
  "with a code of a success and the status Success": { code: 201, status: "Success", message: "no" },
  "with another status": { status: "Maybe", message: "no" },
  "with the code 409 and the reason Conflict": { code: 409, reason: "Conflict", message: "no" },
  "with the code 422 and causes": {
    code: 422,
    reason: "Invalid",
    message: "no",
    details: {
      name: "a",
      kind: "ConfigMap",
      causes: [{ reason: "FieldValueInvalid", message: "bad", field: "data.k" }],
    },
  },
  "with the code 429 and retryAfterSeconds": {
    code: 429,
    reason: "TooManyRequests",
    message: "later",
    details: { retryAfterSeconds: 7 },
  },
  "with the code 500": { code: 500, message: "broken" },
  "with the code 503 and a reason": { code: 503, reason: "ServiceUnavailable", message: "broken" },
  "with an unusual code": { code: 418, message: "teapot" },
  "with a code of 600": { code: 600, message: "no" },
  "with metadata": { metadata: { resourceVersion: "5" }, message: "no" },
  "with a message of several lines": { message: "first\nsecond" },
  "with an empty message and reason": { message: "", reason: "" },
};

const denials: Record<string, Steps> = {};
for (const [what, status] of Object.entries(statuses)) {
  denials[`a validating webhook denies ${what}`] = [
    validating(hook("deny", { deny: status })),
    wording(post(configMaps, configMap("a"))),
  ];
  denials[`a mutating webhook denies ${what}`] = [
    mutating(hook("deny", { deny: status })),
    wording(post(configMaps, configMap("a"))),
  ];
}

/** Denials by webhooks. */
export const webhookDenials = subject(
  "webhook-denials",
  cleaningUp({
    ...denials,
    "an update, a patch, an apply and a delete are denied": [
      created,
      validating(hook("deny", { deny: { message: "no" } })),
      wording(
        put(`${configMaps}/a`, configMap("a", { k: "1" })),
        mergePatch(`${configMaps}/a`, { data: { k: "1" } }),
        jsonPatch(`${configMaps}/a`, [{ op: "add", path: "/data", value: { k: "1" } }]),
        apply(`${configMaps}/a?fieldManager=m`, configMap("a", { k: "1" })),
        apply(`${configMaps}/new?fieldManager=m`, configMap("new", { k: "1" })),
        remove(`${configMaps}/a`),
      ),
    ],
    "a deletecollection is denied at the first object": [
      created,
      validating(hook("deny", { deny: { message: "no" } }, { rules: [rule({ operations: ["DELETE"] })] })),
      wording(remove(configMaps)),
    ],
    "an update without a change is denied too": [
      created,
      validating(hook("deny", { deny: { message: "no" } })),
      wording(mergePatch(`${configMaps}/a`, {})),
    ],
    "a denial of the mutating webhook hides that of the validating one": [
      mutating(hook("first", { deny: { message: "mutating" } })),
      validating(hook("second", { deny: { message: "validating" } })),
      wording(post(configMaps, configMap("a"))),
    ],
    "a mutating webhook that denies stops the following ones": [
      mutating(hook("first", { deny: { message: "first" } }), hook("second", { deny: { message: "second" } })),
      wording(post(configMaps, configMap("a"))),
    ],
    "an invalid object is rejected before validating webhooks": [
      validating(
        hook("deny", { deny: { message: "no" } }, { rules: [rule({ apiGroups: ["apps"], resources: ["*"] })] }),
      ),
      wording(post(deployments, deployment("a", { replicas: -1 }))),
    ],
    "a mutating webhook denies an invalid object first": [
      mutating(hook("deny", { deny: { message: "no" } }, { rules: [rule({ apiGroups: ["apps"], resources: ["*"] })] })),
      wording(post(deployments, deployment("a", { replicas: -1 }))),
    ],
    "a webhook denies a dry run": [
      validating(hook("deny", { deny: { message: "no" } })),
      wording(post(`${configMaps}?dryRun=All`, configMap("a"))),
    ],
    "warnings of a webhook that admits are sent": [
      validating(hook("warn", { warnings: ["first", 'with "quotes"'] })),
      post(configMaps, configMap("a")),
    ],
    "warnings of a webhook that denies are sent": [
      validating(hook("warn", { warnings: ["careful"], deny: { message: "no" } })),
      post(configMaps, configMap("a")),
    ],
    "warnings of mutating webhooks are sent in order, and each once": [
      mutating(hook("first", { warnings: ["a", "b"] }), hook("second", { warnings: ["b", "c"] })),
      post(configMaps, configMap("a")),
    ],
    "a webhook with an empty warning": [
      validating(hook("warn", { warnings: ["", "b"] })),
      post(configMaps, configMap("a")),
    ],
  }),
);
