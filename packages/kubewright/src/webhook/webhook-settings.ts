import { OperatorError } from "@kubewright/core/errors";
import { type Duration, durationMs } from "@kubewright/core/meta";
import type { LabelSelector } from "../k8s/meta/v1.gen.js";

/** A CEL expression that decides whether the API server calls a webhook. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** How the API server calls a webhook. All of it is written into the webhook configurations. */
export interface WebhookCallOptions {
  /** What happens with a request when the webhook cannot be called. @default "Fail" */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** Whether requests for other versions of the kind are converted and sent too. @default "Equivalent" */
  readonly matchPolicy?: "Equivalent" | "Exact";
  /** Whether the handlers change something outside of the request. With `None` and `NoneOnDryRun` they are called in dry runs. @default "None" */
  readonly sideEffects?: "None" | "NoneOnDryRun";
  /** How long the API server waits, from 1 to 30 s. @default "10s" */
  readonly timeout?: Duration;
  /** Whether `default` is called again when a later webhook changed the object. @default "Never" */
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
  /** Calls it only for objects in namespaces with these labels. @default all namespaces */
  readonly namespaceSelector?: LabelSelector;
  /** Calls it only for objects with these labels, before or after the change. @default all objects */
  readonly objectSelector?: LabelSelector;
  /** Calls it only where all of these CEL expressions are true. @default none */
  readonly matchConditions?: readonly MatchCondition[];
}

/** {@link WebhookCallOptions} with defaults. */
export interface WebhookSettings {
  readonly failurePolicy: "Fail" | "Ignore";
  readonly matchPolicy: "Equivalent" | "Exact";
  readonly sideEffects: "None" | "NoneOnDryRun";
  readonly timeoutSeconds: number;
  readonly reinvocationPolicy: "Never" | "IfNeeded";
  readonly namespaceSelector: LabelSelector | undefined;
  readonly objectSelector: LabelSelector | undefined;
  readonly matchConditions: readonly MatchCondition[];
}

/** Applies defaults. Throws CONFIG_INVALID for a timeout that Kubernetes rejects. */
export function webhookSettings(name: string, options: WebhookCallOptions): WebhookSettings {
  const { failurePolicy = "Fail", matchPolicy = "Equivalent", sideEffects = "None", timeout = "10s" } = options;
  const { reinvocationPolicy = "Never", namespaceSelector, objectSelector, matchConditions = [] } = options;
  const timeoutSeconds = durationMs("timeout", timeout) / 1_000;
  if (!Number.isInteger(timeoutSeconds) || timeoutSeconds < 1 || timeoutSeconds > 30)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot make webhook "${name}": its timeout must be whole seconds from "1s" to "30s", not "${timeout}"`,
    );
  return {
    failurePolicy,
    matchPolicy,
    sideEffects,
    timeoutSeconds,
    reinvocationPolicy,
    namespaceSelector,
    objectSelector,
    matchConditions,
  };
}
