import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { post, remove, type Step, type Steps } from "../test-case.js";
import { type AdmissionScript, admissionUrl } from "../webhooks/index.js";
import { configMaps } from "./sample-objects.js";

/** The configurations of validating and mutating webhooks. */
export const validatingConfigurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
export const mutatingConfigurations = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

const ofNamespace: JsonObject = { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } };
const notProbe: JsonObject = { matchExpressions: [{ key: "probe", operator: "DoesNotExist" }] };

/** A rule for these operations and resources; by default for every operation on ConfigMaps. */
export function rule(fields: JsonObject = {}): JsonObject {
  return { operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], ...fields };
}

/** A webhook that follows a script, for the ConfigMaps of the case's namespace unless `fields` say otherwise. */
export function hook(name: string, script: AdmissionScript, fields: JsonObject = {}): JsonObject {
  return {
    name: `${name}.example.com`,
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: { url: admissionUrl(script), caBundle: "{hooksCa}" },
    rules: [rule()],
    namespaceSelector: ofNamespace,
    objectSelector: notProbe,
    ...fields,
  };
}

/** The cases, each with steps that delete its configurations: otherwise all later requests are matched against them. */
export function cleaningUp(cases: Readonly<Record<string, Steps>>): Record<string, Steps> {
  return Object.fromEntries(Object.entries(cases).map(([name, steps]) => [name, [...steps, removals(steps.flat())]]));
}

/** Steps that delete the webhook configurations that other steps create. */
export function removals(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => {
    if (step.kind !== "request" || step.method !== "POST") return [];
    if (step.path !== validatingConfigurations && step.path !== mutatingConfigurations) return [];
    const { name = "" } = ((step.body as JsonObject)["metadata"] ?? {}) as { readonly name?: string };
    return [{ ...remove(`${step.path}/${name}`), silent: true }];
  });
}

/** Creates a configuration of validating webhooks, and waits until it has effect. */
export function validating(...webhooks: readonly JsonObject[]): Step[] {
  return configuration(validatingConfigurations, "v", webhooks);
}

/** Creates a configuration of mutating webhooks, and waits until it has effect. */
export function mutating(...webhooks: readonly JsonObject[]): Step[] {
  return configuration(mutatingConfigurations, "m", webhooks);
}

/** Creates a configuration with this name suffix, and waits until it has effect: a webhook that denies only a probe is one of it. */
export function configuration(path: string, name: string, webhooks: readonly JsonObject[]): Step[] {
  const probe = hook(
    "probe",
    { deny: { message: `probe of ${name}` } },
    { objectSelector: { matchLabels: { probe: name } }, rules: [rule({ operations: ["CREATE"] })] },
  );
  const kind = path === mutatingConfigurations ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
  const body: JsonValue = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: `{ns}-${name}` },
    webhooks: [probe, ...webhooks],
  };
  return [
    { ...post(path, body), silent: true },
    {
      ...post(`${configMaps}?dryRun=All`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "probe", labels: { probe: name } },
      }),
      silent: true,
      until: { includes: `probe of ${name}` },
    },
  ];
}
