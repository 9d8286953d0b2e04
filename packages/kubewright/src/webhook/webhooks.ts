import { OperatorError } from "@kubewright/core/errors";
import type { AnyKind } from "../definition/index.js";
import type { AnyUse } from "../reconcile/index.js";
import type { ConnectContext, DefaultContext, DeleteContext, ValidateContext } from "./admission-context.js";
import type { DraftOf } from "./admitted-object.js";
import { type AdmissionFunction, endpointOf, type Webhook, webhookUses } from "./webhook.js";
import { type WebhookCallOptions, webhookSettings } from "./webhook-settings.js";

/** What the webhooks of a kind do. At least one of the four functions is given. */
export interface WebhookOptions<K extends AnyKind, Uses extends readonly AnyUse[], S extends string>
  extends WebhookCallOptions {
  /**
   * Sets what the client left out: a mutating webhook for create and update. It changes the object in place; only what it changes is sent back, so
   * unknown fields survive. The object is not validated yet: where it does not satisfy its schema and the function throws, the response has the
   * schema's errors.
   */
  readonly default?: (object: DraftOf<K, S>, context: DefaultContext<K, Uses, S>) => void | Promise<void>;
  /** Checks an object before it is created or updated: a validating webhook. It sees what the mutating webhooks made of it. */
  readonly validate?: (context: ValidateContext<K, Uses, S>) => void | Promise<void>;
  /** Checks whether an object may be deleted: a validating webhook. */
  readonly validateDelete?: (context: DeleteContext<K, Uses, S>) => void | Promise<void>;
  /** Checks a connection to a subresource such as `exec`: a validating webhook. */
  readonly connect?: (context: ConnectContext<K, Uses, S>) => void | Promise<void>;
  /** Of `default` and `validate`. @default ["create", "update"] */
  readonly operations?: readonly ("create" | "update")[];
  /** Requests for this subresource, such as `status`, `scale` or `exec`, instead of the object. @default the object itself */
  readonly subresource?: S;
  /** Kinds that the functions read, as in `controller`: cached, or `live`. Only reads are possible. @default none */
  readonly uses?: Uses;
  /** Distinguishes two webhooks of one kind: lower case letters, digits and dashes. @default none */
  readonly name?: string;
}

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/**
 * Describes the admission webhooks of a kind: how objects are completed and validated before they are stored.
 *
 * Any kind: custom resources in each version (`Website.v1alpha1`), built-in kinds, kinds of `dynamic`. The API server converts requests for other
 * versions (`matchPolicy`). A function that throws denies the request: an ApiError with its own status, any other error with code 500.
 *
 * @example
 * const admission = webhooks(Website, {
 *   default: (site) => {
 *     site.spec.host ??= "example.com";
 *   },
 *   validate: ({ object, old, deny }) => {
 *     if (old && old.spec.host !== object.spec.host) deny("spec.host", "A host cannot change once it is given");
 *   },
 * });
 */
export function webhooks<
  K extends AnyKind,
  const Uses extends readonly AnyUse[] = readonly [],
  const S extends string = "",
>(kind: K, options: WebhookOptions<K, Uses, S>): Webhook {
  const { subresource = "", name: suffix = "" } = options;
  const { group, version, plural } = kind;
  const name = [[plural, subresource, suffix].filter((part) => part !== "").join("-"), version, group || "core"].join(
    ".",
  );
  const fail = (why: string) => new OperatorError("CONFIG_INVALID", `Cannot make webhook "${name}": ${why}`);
  for (const part of [subresource, suffix])
    if (part !== "" && !dnsLabel.test(part))
      throw fail(`"${part}" must consist of lower case letters, digits and dashes`);
  if (options.connect !== undefined && subresource === "") throw fail("`connect` needs a `subresource` such as exec");
  const path = pathOf(kind, [subresource, suffix]);
  // Here the declared kinds leave the type system; the context of a request checks them at run time.
  const { validate, validateDelete, connect } = options as unknown as Readonly<
    Partial<Record<"validate" | "validateDelete" | "connect", AdmissionFunction>>
  >;
  const { default: defaulter } = options as unknown as {
    readonly default?: (object: object, context: unknown) => unknown;
  };
  const mutate: AdmissionFunction | undefined = defaulter && ((context) => defaulter(context.object ?? {}, context));
  const { operations = ["create", "update"] } = options;
  const on = (operation: "create" | "update", handler: AdmissionFunction | undefined) =>
    operations.includes(operation) ? handler : undefined;
  const mutating = endpointOf(`/mutate-${path}`, `mutate.${name}`, {
    create: on("create", mutate),
    update: on("update", mutate),
  });
  const validating = endpointOf(`/validate-${path}`, `validate.${name}`, {
    create: on("create", validate),
    update: on("update", validate),
    delete: validateDelete,
    connect,
  });
  if (mutating === undefined && validating === undefined)
    throw fail("it has none of `default`, `validate`, `validateDelete` and `connect`");
  return Object.freeze({
    role: "webhook",
    name,
    kind,
    subresource,
    rules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        resources: [subresource === "" ? plural : `${plural}/${subresource}`],
      },
    ],
    mutating,
    validating,
    uses: webhookUses(name, options.uses ?? []),
    settings: webhookSettings(name, options),
  });
}

/** As controller-runtime: `apps-v1-deployment`, `-v1-pod` for the core group. */
function pathOf({ group, version, kind }: AnyKind, more: readonly string[]): string {
  return [group.replaceAll(".", "-"), version, kind.toLowerCase(), ...more.filter((part) => part !== "")].join("-");
}
