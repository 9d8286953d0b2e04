import { OperatorError } from "@kubewright/core/errors";
import type { AnyKind } from "../definition/index.js";
import type { DeclaredAccess } from "../permissions/index.js";
import { type AnyUse, type Use, usesOf } from "../reconcile/index.js";
import type { AnyAdmissionContext } from "./admission-context.js";
import type { AdmissionOperation } from "./admission-request.js";
import type { WebhookSettings } from "./webhook-settings.js";

/** The requests that the API server sends to a webhook: a rule of a webhook configuration, without operations. */
export interface AdmissionRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** Such as `pods`, `pods/status`, `*`. */
  readonly resources: readonly string[];
  readonly scope?: "*" | "Cluster" | "Namespaced";
}

/** One function of a webhook: called with the object for `default`, else with the context alone. */
export type AdmissionFunction = (context: AnyAdmissionContext) => unknown;

/** The mutating or the validating half of a webhook. */
export interface AdmissionEndpoint {
  /** Of the URL, as controller-runtime names it: `/mutate-apps-v1-deployment`. */
  readonly path: string;
  /** In the webhook configuration: a domain name. */
  readonly name: string;
  /** The operations that the API server calls it for, each with its handler. */
  readonly handlers: Readonly<Partial<Record<AdmissionOperation, AdmissionFunction>>>;
}

/** Defaulters and validators of a kind as data. Starts nothing; `operator({ webhooks })` serves it. */
export interface Webhook {
  readonly role: "webhook";
  /** In logs, and part of the names in the webhook configurations. */
  readonly name: string;
  /** Undefined for a raw webhook. */
  readonly kind: AnyKind | undefined;
  /** The subresource; empty for the object itself. */
  readonly subresource: string;
  readonly rules: readonly AdmissionRule[];
  /** Called first, with a draft of the object. Undefined without `default`. */
  readonly mutating: AdmissionEndpoint | undefined;
  /** Called with the object as it will be stored. Undefined without validators. */
  readonly validating: AdmissionEndpoint | undefined;
  readonly uses: readonly Use[];
  readonly settings: WebhookSettings;
}

/** The uses of a webhook. Throws CONFIG_INVALID for a verb that writes: the API server may call a webhook for a request that fails later. */
export function webhookUses(name: string, uses: readonly AnyUse[]): readonly Use[] {
  const made = usesOf(uses, [], []);
  for (const { kind, verbs } of made) {
    const writes = verbs.find((verb) => verb !== "get" && verb !== "list" && verb !== "watch");
    if (writes !== undefined)
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot make webhook "${name}": it may only read, so \`may(${kind.kind}, "${writes}")\` cannot be in its \`uses\``,
      );
  }
  return made;
}

/** Only the handlers that are there; undefined without any. */
export function endpointOf(
  path: string,
  name: string,
  handlers: Readonly<Partial<Record<AdmissionOperation, AdmissionFunction | undefined>>>,
): AdmissionEndpoint | undefined {
  const present = Object.fromEntries(Object.entries(handlers).filter(([, handler]) => handler !== undefined));
  return Object.keys(present).length === 0 ? undefined : { path, name, handlers: present };
}

/** What a webhook declares, for the derivation of RBAC rules. */
export function webhookAccess({ uses }: Webhook): DeclaredAccess {
  return { kind: undefined, owns: [], uses, watches: [], events: false };
}

/** Throws CONFIG_INVALID when two webhooks have the same path. */
export function requireOwnPaths(webhooks: readonly Webhook[]): void {
  const paths = new Set<string>();
  for (const { name, mutating, validating } of webhooks) {
    for (const endpoint of [mutating, validating]) {
      if (endpoint === undefined) continue;
      if (paths.has(endpoint.path))
        throw new OperatorError(
          "CONFIG_INVALID",
          `Cannot serve webhook "${name}": two webhooks have the path "${endpoint.path}"; give one a \`name\``,
        );
      paths.add(endpoint.path);
    }
  }
}
