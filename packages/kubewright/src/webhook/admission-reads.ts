import type { CachedListOptions } from "../cache/index.js";
import type { AnyKind } from "../definition/index.js";
import type { Webhook } from "./webhook.js";

/** How a handler names an object; without a namespace it is in the request's. */
export type ReadName = string | { readonly name: string; readonly namespace?: string };

/** Of the request that reads. */
export interface ReadScope {
  /** The webhook, whose `uses` allow the read. */
  readonly webhook: Webhook;
  /** What names without a namespace mean. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Where the handlers of webhooks read objects. */
export interface AdmissionReads {
  /** Rejects with an ApiError (`isNotFound`) when it is missing. */
  get(kind: AnyKind, name: ReadName, scope: ReadScope): Promise<object>;
  /** Undefined when it is missing. */
  find(kind: AnyKind, name: ReadName, scope: ReadScope): Promise<object | undefined>;
  /** In the namespace of the request, unless the options say otherwise. */
  list(kind: AnyKind, options: CachedListOptions, scope: ReadScope): Promise<readonly object[]>;
}
