import type { JsonObject } from "@kubewright/core/json";
import { get, post, type Step, type Steps, subject, wording } from "../test-case.js";
import { type AdmissionScript, admissionUrl } from "../webhooks/index.js";
import { configMap, configMaps } from "./sample-objects.js";
import { cleaningUp, hook, mutating, validating } from "./webhook-steps.js";

/** Responses that are no valid review, by a sentence about them. */
const broken: Readonly<Record<string, AdmissionScript>> = {
  "without a response": { review: { response: null } },
  "with another uid": { response: { uid: "other" } },
  "without a uid": { response: { uid: "" } },
  "of another kind": { review: { kind: "Review" } },
  "of another version": { review: { apiVersion: "admission.k8s.io/v1beta1" } },
  "of another group": { review: { apiVersion: "example.com/v1" } },
  "without kind and apiVersion": { review: { kind: "", apiVersion: "" } },
  "that is not JSON": { text: "hello" },
  "that is a JSON list": { text: "[]" },
  "that is null": { text: "null" },
  "that is empty": { text: "" },
  "with a string for allowed": { response: { allowed: "yes" } },
  "with a list for the response": { review: { response: [] } },
  "with a number for a warning": { response: { warnings: [1] } },
  "with a patch that is not base64": { response: { patch: "%%%", patchType: "JSONPatch" } },
  "with the status 404": { status: 404 },
  "with the status 500": { status: 500, text: "broken" },
  "with the status 400 and a Status": {
    status: 400,
    text: JSON.stringify({
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: "bad",
      reason: "BadRequest",
      code: 400,
    }),
  },
  "with the status 201": { status: 201 },
  "with the status 204 and no body": { status: 204, text: "" },
  "that never comes": { hangUp: true },
  "that is late": { delayMs: 1_500 },
  "that is a Status": { text: JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Success" }) },
  "with unknown fields": { response: { unknown: 1 }, review: { other: {} } },
  "with auditAnnotations": { response: { auditAnnotations: { k: "v" } } },
  "with auditAnnotations of numbers": { response: { auditAnnotations: { k: 1 } } },
};

/** Responses about patches, which only mutating webhooks may send. */
const patches: Readonly<Record<string, AdmissionScript>> = {
  "with a patch and no patchType": { patch: [{ op: "add", path: "/data/b", value: "b" }], patchType: null },
  "with a patchType and no patch": { patchType: "JSONPatch" },
  "with an empty patchType": { patch: [{ op: "add", path: "/data/b", value: "b" }], patchType: "" },
  "with an unknown patchType": { patch: [{ op: "add", path: "/data/b", value: "b" }], patchType: "MergePatch" },
  "with a patch that is not JSON": { patchText: "hello" },
  "with a patch that is an object": { patchText: "{}" },
  "with a patch that is null": { patchText: "null" },
  "with a patch of strings": { patchText: '["a"]' },
  "with an empty patch": { patch: [] },
};

const short: JsonObject = { timeoutSeconds: 1 };
const create: Step[] = [post(configMaps, configMap("a", { k: "v" })), get(`${configMaps}/a`)];

/** The same webhook with both failure policies, each for objects with its label. */
const both = (script: AdmissionScript): JsonObject[] =>
  ["Fail", "Ignore"].map((failurePolicy) =>
    hook(failurePolicy.toLowerCase(), script, {
      // A short timeout would fail the other webhooks on a busy machine.
      ...(script.delayMs === undefined ? {} : short),
      failurePolicy,
      objectSelector: { matchLabels: { policy: failurePolicy } },
    }),
  );
const createBoth: Step[] = ["Fail", "Ignore"].flatMap((policy) => {
  const name = policy.toLowerCase();
  return [post(configMaps, configMap(name, { k: "v" }, { labels: { policy } })), get(`${configMaps}/${name}`)];
});

const cases: Record<string, Steps> = {};
for (const [what, script] of Object.entries({ ...broken, ...patches })) {
  cases[`a mutating webhook sends a response ${what}`] = [mutating(...both(script)), createBoth];
  cases[`a validating webhook sends a response ${what}`] = [validating(...both(script)), createBoth];
}

const unreachable = (clientConfig: JsonObject): JsonObject => hook("gone", {}, { clientConfig, timeoutSeconds: 2 });

/** Calls that fail, and responses that are invalid. */
export const webhookResponses = subject(
  "webhook-responses",
  cleaningUp({
    ...cases,
    "a webhook without kind and apiVersion of v1beta1 is accepted": [
      validating(hook("old", { review: { kind: "", apiVersion: "" } }, { admissionReviewVersions: ["v1beta1"] })),
      create,
    ],
    ...Object.fromEntries(
      Object.entries({
        "of another kind": { kind: "Review" },
        "of version v1": { apiVersion: "admission.k8s.io/v1" },
        "of another group": { apiVersion: "example.com/v1" },
        "with a kind only": { apiVersion: "" },
        "with an apiVersion only": { kind: "" },
      }).map(([what, review]) => [
        `a webhook of v1beta1 sends a response ${what}`,
        [validating(hook("old", { review }, { admissionReviewVersions: ["v1beta1"] })), create],
      ]),
    ),
    "a webhook of v1beta1 may send another uid": [
      validating(hook("old", { response: { uid: "other" } }, { admissionReviewVersions: ["v1beta1"] })),
      create,
    ],
    "a webhook of v1beta1 may send a patch without a patchType": [
      mutating(
        hook(
          "old",
          { patch: [{ op: "add", path: "/data/b", value: "b" }], patchType: null },
          { admissionReviewVersions: ["v1beta1"] },
        ),
      ),
      create,
    ],
    "a validating webhook of v1beta1 may send a patch, which has no effect": [
      validating(
        hook("old", { patch: [{ op: "add", path: "/data/b", value: "b" }] }, { admissionReviewVersions: ["v1beta1"] }),
      ),
      create,
    ],
    "the first known review version is used": [
      validating(hook("both", { echo: ["apiVersion"] }, { admissionReviewVersions: ["v2", "v1beta1", "v1"] })),
      create,
    ],
    "a refused connection rejects the request": [
      validating(unreachable({ url: "https://127.0.0.1:1/x" })),
      wording(post(configMaps, configMap("a"))),
    ],
    "a certificate of an unknown authority rejects the request": [
      validating(unreachable({ url: admissionUrl({ delayMs: 0 }) })),
      post(configMaps, configMap("a")),
    ],
    "a missing Service rejects the request": [
      validating(unreachable({ service: { namespace: "{ns}", name: "gone", path: "/x" }, caBundle: "{hooksCa}" })),
      wording(post(configMaps, configMap("a"))),
    ],
    "a late response with the failurePolicy Ignore does not stop the others": [
      mutating(
        hook("late", { delayMs: 1_500 }, { ...short, failurePolicy: "Ignore" }),
        hook("patch", { patch: [{ op: "add", path: "/data/b", value: "b" }] }),
      ),
      create,
    ],
    "the status of a failed call is shown": [
      mutating(hook("broken", { status: 500, text: "broken" })),
      wording(post(configMaps, configMap("a"))),
    ],
    "the status 404 of a failed call is shown": [
      mutating(hook("broken", { status: 404 })),
      wording(post(configMaps, configMap("a"))),
    ],
    "the wrong uid is shown": [
      mutating(hook("broken", { response: { uid: "other" } })),
      wording(post(configMaps, configMap("a"))),
    ],
  }),
);
