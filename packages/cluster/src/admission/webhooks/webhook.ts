import type { JsonObject } from "@kubewright/core/json";
import type { LabelSelectorObject } from "@kubewright/core/selector";
import type { MutatingWebhook, MutatingWebhookConfiguration } from "kubewright/k8s/admissionregistration/v1";
import type { WebhookTarget } from "../../webhook-client/index.js";
import { type MatchCriteria, type MatchFields, parseCriteria } from "../matching/index.js";
import { MatchConditions } from "./match-conditions.js";

/** A webhook of a stored configuration, parsed. */
export interface Webhook {
  /** Unique among the webhooks of all configurations of a kind. */
  readonly id: string;
  readonly name: string;
  readonly configuration: string;
  readonly criteria: MatchCriteria;
  readonly conditions: MatchConditions | undefined;
  readonly target: WebhookTarget;
  /** In order of preference. */
  readonly reviewVersions: readonly string[];
  /** Whether a failed call admits the request: the failurePolicy Ignore. */
  readonly failsOpen: boolean;
  readonly timeoutMs: number;
  readonly supportsDryRun: boolean;
  /** Whether it is called again after a later change: the reinvocationPolicy IfNeeded. */
  readonly isReinvoked: boolean;
}

/** The webhooks of a stored configuration, in order. */
export function webhooksOf(configuration: JsonObject): readonly Webhook[] {
  // Stored objects are decoded, defaulted and valid.
  const { metadata, webhooks = [] } = configuration as unknown as MutatingWebhookConfiguration;
  return webhooks.map((hook, index) => parseWebhook(hook, metadata.name, index));
}

function parseWebhook(hook: MutatingWebhook, configuration: string, index: number): Webhook {
  const { name, sideEffects, failurePolicy = "Fail", timeoutSeconds = 10, matchConditions = [] } = hook;
  return {
    id: `${configuration}/${index}/${name}`,
    name,
    configuration,
    criteria: parseCriteria({ ...(hook as MatchFields), rules: hook.rules ?? [] } as MatchFields & {
      readonly namespaceSelector?: LabelSelectorObject;
    }),
    conditions: matchConditions.length === 0 ? undefined : new MatchConditions(matchConditions, failurePolicy),
    target: hook.clientConfig as WebhookTarget,
    reviewVersions: hook.admissionReviewVersions ?? [],
    failsOpen: failurePolicy === "Ignore",
    timeoutMs: timeoutSeconds * 1_000,
    supportsDryRun: sideEffects === "None" || sideEffects === "NoneOnDryRun",
    isReinvoked: hook.reinvocationPolicy === "IfNeeded",
  };
}
