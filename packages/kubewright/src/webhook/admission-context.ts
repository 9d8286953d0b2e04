import type { Clock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import type { AnyKind, Declared, ReadOf } from "../definition/index.js";
import type { AnyUse, ContextListOptions, IndexOf, Listable, NameFor, Readable } from "../reconcile/index.js";
import type { AdmissionOperation, AdmissionRequest, AdmissionUser } from "./admission-request.js";
import type { ValidatedObject } from "./admitted-object.js";
import type { Deny } from "./deny.js";

/** A kind that a webhook can read one by one. */
export type UsedKind<C extends AnyKind, Uses extends readonly AnyUse[]> = Declared<
  C,
  Readable<readonly [], Uses, readonly []>,
  "declare this kind in `uses` of the webhook"
>;

/** A kind that a webhook can list. */
export type ListedKind<C extends AnyKind, Uses extends readonly AnyUse[]> = Declared<
  C,
  Listable<readonly [], Uses, readonly []>,
  "declare this kind in `uses` of the webhook (not as live)"
>;

/** What every handler of a webhook knows of its request. Functions can be destructured; do not use them after the handler has returned. */
export interface AdmissionContext<K extends AnyKind, Uses extends readonly AnyUse[]> {
  /** Denies the request; the handler continues, so that one response reports all fields. */
  readonly deny: Deny;
  /** Returns a warning to the client: kubectl prints it. At most 120 characters are safe; the API server truncates longer ones. */
  readonly warn: (message: string) => void;
  /** Adds an annotation to the audit event; the server puts the name of the webhook before its key. */
  readonly audit: (key: string, value: string) => void;
  /** The name of the object; empty where the server generates it after this webhook. */
  readonly name: string;
  /** The namespace; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The user of the request. */
  readonly user: AdmissionUser;
  /** Nothing will be stored: the handler must have no side effects. */
  readonly dryRun: boolean;
  /** The options of the request: `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions`. */
  readonly options: JsonObject;
  /** The whole request. */
  readonly request: AdmissionRequest;
  /** The object; throws when it is missing. From the cache, of kinds in `uses`; names without a namespace mean the request's. */
  readonly get: <C extends AnyKind>(kind: UsedKind<C, Uses>, name: NameFor<K, C>) => Promise<ReadOf<C>>;
  /** The object, or undefined when it is missing. */
  readonly find: <C extends AnyKind>(kind: UsedKind<C, Uses>, name: NameFor<K, C>) => Promise<ReadOf<C> | undefined>;
  /** All objects that match; of the request's namespace where none is given. */
  readonly list: <C extends AnyKind>(
    kind: ListedKind<C, Uses>,
    options?: ContextListOptions<IndexOf<Uses[number], C>>,
  ) => Promise<readonly ReadOf<C>[]>;
  /** Aborts when the API server stops waiting: after the webhook's timeout, or when it disconnects. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
}

/** The second argument of `default`. */
export interface DefaultContext<K extends AnyKind, Uses extends readonly AnyUse[], S extends string = "">
  extends AdmissionContext<K, Uses> {
  readonly operation: "create" | "update";
  /** The stored object of an update; undefined on create. Frozen. */
  readonly old: ValidatedObject<K, S> | undefined;
}

/** The argument of `validate`. */
export interface ValidateContext<K extends AnyKind, Uses extends readonly AnyUse[], S extends string = "">
  extends AdmissionContext<K, Uses> {
  readonly operation: "create" | "update";
  /** The object as it will be stored, after every mutating webhook and the validation of its schema. Frozen. */
  readonly object: ValidatedObject<K, S>;
  /** The stored object of an update; undefined on create. Frozen. */
  readonly old: ValidatedObject<K, S> | undefined;
}

/** The argument of `validateDelete`. */
export interface DeleteContext<K extends AnyKind, Uses extends readonly AnyUse[], S extends string = "">
  extends AdmissionContext<K, Uses> {
  readonly operation: "delete";
  /** The stored object. Frozen. */
  readonly old: ValidatedObject<K, S>;
}

/** The argument of `connect`. */
export interface ConnectContext<K extends AnyKind, Uses extends readonly AnyUse[], S extends string = "">
  extends AdmissionContext<K, Uses> {
  readonly operation: "connect";
  /** The options of the connection, such as the command of `exec`. Frozen. */
  readonly object: ValidatedObject<K, S>;
}

/** A context whose kinds are known at run time only. */
export interface AnyAdmissionContext extends AdmissionContext<AnyKind, readonly AnyUse[]> {
  readonly operation: AdmissionOperation;
  readonly object: object | undefined;
  readonly old: object | undefined;
}
