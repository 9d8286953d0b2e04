import { OperatorError } from "@kubewright/core/errors";
import type { JsonObject } from "@kubewright/core/json";
import type { AnyUse, NoNamespace } from "../reconcile/index.js";
import type { AdmissionContext } from "./admission-context.js";
import type { AdmissionOperation } from "./admission-request.js";
import { type AdmissionFunction, type AdmissionRule, endpointOf, type Webhook, webhookUses } from "./webhook.js";
import { type WebhookCallOptions, webhookSettings } from "./webhook-settings.js";

/** The argument of a raw webhook's `validate`, and the second one of its `default`. */
export interface RawWebhookContext<Uses extends readonly AnyUse[]> extends AdmissionContext<NoNamespace, Uses> {
  readonly operation: AdmissionOperation;
  /** As sent by the client, or as it will be stored in `validate`; undefined for `delete`. Frozen in `validate`. */
  readonly object: JsonObject | undefined;
  /** The stored object; undefined for `create` and `connect`. Frozen. */
  readonly old: JsonObject | undefined;
}

/** What a raw webhook does, and for which requests. */
export interface RawWebhookOptions<Uses extends readonly AnyUse[]> extends WebhookCallOptions {
  /** In its path, `/mutate-<name>` and `/validate-<name>`, and its names: lower case letters, digits and dashes. */
  readonly name: string;
  /** Which requests the API server sends. */
  readonly rules: readonly AdmissionRule[];
  /** The operations of the rules. @default ["create", "update"] */
  readonly operations?: readonly AdmissionOperation[];
  /** A mutating webhook: changes the object in place. Not called for `delete`. */
  readonly default?: (object: Record<string, unknown>, context: RawWebhookContext<Uses>) => void | Promise<void>;
  /** A validating webhook. */
  readonly validate?: (context: RawWebhookContext<Uses>) => void | Promise<void>;
  /** Kinds that the functions read, as in `webhooks`; names need a namespace. @default none */
  readonly uses?: Uses;
}

/**
 * Describes admission webhooks without types, for requests of any group, version and kind.
 *
 * @example
 * const costs = rawWebhook({
 *   name: "cost-center",
 *   rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], scope: "Namespaced" }],
 *   validate: ({ request, warn }) => {
 *     if (request.namespace === "default") warn(`${request.kind.kind} has no cost center`);
 *   },
 * });
 */
export function rawWebhook<const Uses extends readonly AnyUse[] = readonly []>(
  options: RawWebhookOptions<Uses>,
): Webhook {
  const { name, rules, operations = ["create", "update"] } = options;
  const fail = (why: string) => new OperatorError("CONFIG_INVALID", `Cannot make webhook "${name}": ${why}`);
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name))
    throw fail("its name must consist of lower case letters, digits and dashes");
  if (rules.length === 0) throw fail("it has no rules");
  // Here the declared kinds leave the type system; the context of a request checks them at run time.
  const { default: defaulter, validate } = options as unknown as {
    readonly default?: (object: object, context: unknown) => unknown;
    readonly validate?: AdmissionFunction;
  };
  const mutate: AdmissionFunction | undefined = defaulter && ((context) => defaulter(context.object ?? {}, context));
  const handled = (handler: AdmissionFunction | undefined, without?: AdmissionOperation) =>
    Object.fromEntries(
      operations.filter((operation) => operation !== without).map((operation) => [operation, handler]),
    );
  const mutating = endpointOf(`/mutate-${name}`, `mutate.${name}.kubewright`, handled(mutate, "delete"));
  const validating = endpointOf(`/validate-${name}`, `validate.${name}.kubewright`, handled(validate));
  if (mutating === undefined && validating === undefined) throw fail("it has neither `default` nor `validate`");
  return Object.freeze({
    role: "webhook",
    name,
    kind: undefined,
    subresource: "",
    rules,
    mutating,
    validating,
    uses: webhookUses(name, options.uses ?? []),
    settings: webhookSettings(name, options),
  });
}
