import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Duration } from "@kubewright/core/meta";
import type { AnyRead } from "../cache/index.js";
import type { LabelSelectorInput, ObjectPatch, SelectorInput } from "../client/index.js";
import type { AnyKind, ConditionsOf, ReadOf, Rejected, StatusOf } from "../definition/index.js";
import type { AnyWatch, Cause } from "../route/index.js";
import type { ConditionSetter, EventType, RecordedEvent } from "../status/index.js";
import type { AllowedActions } from "./allowed-actions.js";
import type {
  ApplyChildOptions,
  CachedKindOf,
  ChildNameFor,
  ChildOf,
  ContextDeleteOptions,
  ContextWaitOptions,
  CreatedBy,
  IndexOf,
  InitialChildOf,
  ListableKind,
  NameFor,
  OwnedKind,
  OwnerFor,
  ReadableKind,
  WritableKind,
} from "./context-types.js";
import type { RequeueAfter, RequeueOptions } from "./outcome.js";
import type { AnyUse } from "./uses.js";

/** Which objects `list` returns. */
export interface ContextListOptions<Index extends string = never> {
  /** The owner's namespace where it is left out; all namespaces for an owner that has none. */
  readonly namespace?: string;
  /** Objects of every namespace. @default false */
  readonly allNamespaces?: boolean;
  /** Label selector: labels that must all be equal, a string such as `"tier in (web, api), !canary"`, or `matchLabels` and `matchExpressions`. */
  readonly labels?: LabelSelectorInput;
  /**
   * Field selector, such as `{ "status.phase": "Running" }` or `"spec.nodeName!=a"`. In the cache any path, where a missing field counts as the
   * empty string; on the server the fields that the kind supports.
   */
  readonly fields?: SelectorInput;
  /** Values of indexes that `select(kind, { indexes })` declares; all must match. */
  readonly index?: [Index] extends [never] ? never : Readonly<Partial<Record<Index, string>>>;
}

/**
 * The argument of `reconcile` and `finalize`. It reads and writes what the controller declared: kinds that are not in `owns`, `manages`,
 * `uses` or `watches` do not compile.
 *
 * Every function can be destructured. Do not use it after the run has returned.
 */
export interface ReconcileContext<
  K extends AnyKind,
  Owns extends readonly AnyRead[],
  Uses extends readonly AnyUse[],
  Watches extends readonly AnyWatch[],
  Manages extends readonly AnyKind[] = readonly [],
> extends AllowedActions<K, Uses> {
  /** The object from the cache, at least as new as the controller's own last write. Frozen. */
  readonly object: ReadOf<K>;
  /**
   * Applies a child: server-side apply with owner reference and `force`. Fields that an earlier apply set and this one does not are removed. Sends
   * nothing when nothing would change. Throws NOT_CONTROLLED when an object of that name exists that this owner does not control. `adopt: true` takes
   * over an object without a controller; `adopt: "orphaned"` only one that this controller made: its controller reference was removed, or its
   * owner was created again under the same name. `stringData` of a Secret is applied as `data`.
   */
  readonly apply: <C extends AnyKind>(
    kind: OwnedKind<C, readonly [...Owns, ...Manages]>,
    child: ChildOf<OwnerFor<K, C, Manages>, C>,
    options?: ApplyChildOptions,
  ) => Promise<ReadOf<C>>;
  /** Creates a child, or an object of a kind that `may(kind, "create")` allows. Throws (`isAlreadyExists`) when the name is taken. */
  readonly create: <C extends AnyKind>(
    kind: WritableKind<C, readonly [...Owns, ...Manages], Uses, "create">,
    object: CreatedBy<OwnerFor<K, C, Manages>, readonly [...Owns, ...Manages], C>,
  ) => Promise<ReadOf<C>>;
  /**
   * Creates a child that does not exist, and never changes an existing one: for generated passwords, PersistentVolumeClaims and Jobs. Returns the child.
   * It counts as applied for `prune`. `initial` is called only when the child does not exist, and its result is used once. Throws NOT_CONTROLLED when an
   * object of that name exists that this owner does not control.
   *
   * @example
   * const secret = await ensure(Secret, `${object.metadata.name}-password`, () => ({ stringData: { password: randomPassword() } }));
   */
  readonly ensure: <C extends AnyKind>(
    kind: OwnedKind<C, readonly [...Owns, ...Manages]>,
    name: ChildNameFor<OwnerFor<K, C, Manages>, C>,
    initial: () => InitialChildOf<OwnerFor<K, C, Manages>, C> | Promise<InitialChildOf<OwnerFor<K, C, Manages>, C>>,
  ) => Promise<ReadOf<C>>;
  /** Patches a child, or an object of a kind that `may(kind, "patch")` allows. */
  readonly patch: <C extends AnyKind>(
    kind: WritableKind<C, readonly [...Owns, ...Manages], Uses, "patch">,
    name: NameFor<K, C>,
    patch: ObjectPatch<NoInfer<C>>,
  ) => Promise<ReadOf<C>>;
  /** Deletes an object; a missing one is no error. Throws NOT_CONTROLLED for an owned kind whose object this owner does not control. */
  readonly delete: <C extends AnyKind>(
    kind: WritableKind<C, readonly [...Owns, ...Manages], Uses, "delete">,
    name: NameFor<K, C>,
    options?: ContextDeleteOptions,
  ) => Promise<void>;
  /** Makes an existing object without a controller a child of this owner. Throws NOT_CONTROLLED when another owner controls it. */
  readonly adopt: <C extends AnyKind>(kind: OwnedKind<C, Owns>, name: NameFor<K, C>) => Promise<ReadOf<C>>;
  /** Removes this owner's reference from a child, and leaves the object. */
  readonly release: <C extends AnyKind>(kind: OwnedKind<C, Owns>, name: NameFor<K, C>) => Promise<void>;
  /**
   * Deletes this owner's children of these kinds that this run neither applied, ensured nor created, and returns how many. Children are found by owner uid
   * and field manager, so also those of an earlier version of the operator. Children that another owner controls stay.
   *
   * @example
   * for (const { name, data } of object.spec.files) await apply(ConfigMap, { metadata: { name }, data });
   * await prune(ConfigMap);
   */
  readonly prune: <const Kinds extends readonly AnyKind[]>(
    ...kinds: { readonly [I in keyof Kinds]: OwnedKind<Kinds[I], readonly [...Owns, ...Manages]> }
  ) => Promise<number>;
  /** The object; throws when it is missing. Reads from the cache are tracked: the object is reconciled again when what was read changes. */
  readonly get: <C extends AnyKind>(
    kind: ReadableKind<C, readonly [...Owns, ...Manages, K], Uses, Watches>,
    name: NameFor<K, C>,
  ) => Promise<ReadOf<C>>;
  /** The object, or undefined when it is missing. Tracked as `get`: the object is reconciled again when a missing one appears. */
  readonly find: <C extends AnyKind>(
    kind: ReadableKind<C, readonly [...Owns, ...Manages, K], Uses, Watches>,
    name: NameFor<K, C>,
  ) => Promise<ReadOf<C> | undefined>;
  /** The objects that match; those of the owner's namespace where none is given. Tracked: also when an object starts or stops to match. */
  readonly list: <C extends AnyKind>(
    kind: ListableKind<C, readonly [...Owns, ...Manages, K], Uses, Watches>,
    options?: ContextListOptions<IndexOf<Owns[number] | Uses[number], C>>,
  ) => Promise<readonly ReadOf<C>[]>;
  /** A draft that starts as a copy of the current status. Written once at the end, only if it changed. `undefined` removes a field. */
  readonly status: [StatusOf<K>] extends [never]
    ? Rejected<"declare `status` in the version of this kind">
    : StatusOf<K>;
  /** Writes the draft now: for what must survive a crash, such as an external id. */
  readonly saveStatus: [StatusOf<K>] extends [never]
    ? Rejected<"declare `status` in the version of this kind">
    : () => Promise<void>;
  /** Sets the conditions that the kind declares. Written with the status. */
  readonly conditions: [ConditionsOf<K>] extends [never]
    ? Rejected<"declare `conditions` in the version of this kind">
    : ConditionSetter<ConditionsOf<K>>;
  /** Records an event about the object. */
  readonly event: (
    type: EventType,
    reason: string,
    note: string,
    options?: Pick<RecordedEvent, "action" | "related">,
  ) => void;
  /**
   * Waits until an object in the cache satisfies a condition, and returns it; undefined for one that does not exist. It occupies a worker meanwhile: to
   * return, and to run again when the object changes, is better for waits of more than seconds. Rejects with WAIT_TIMEOUT.
   */
  readonly waitFor: <C extends AnyKind>(
    kind: CachedKindOf<C, readonly [...Owns, ...Manages], Uses, Watches>,
    name: NameFor<K, C>,
    options: ContextWaitOptions<NoInfer<C>>,
  ) => Promise<ReadOf<C> | undefined>;
  /** Runs again after a delay such as `"30s"`, unless something changes before; 0 means at once. Return what it returns: else it has no effect. */
  readonly requeueAfter: (delay: Duration | 0, options?: RequeueOptions) => RequeueAfter;
  /** Aborts on timeout, lost lease and shutdown. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Why this run happens. */
  readonly causes: readonly Cause[];
  readonly clock: Clock;
}

/** A context whose kinds are known at run time only. */
export type AnyContext = ReconcileContext<
  AnyKind,
  readonly AnyRead[],
  readonly AnyUse[],
  readonly AnyWatch[],
  readonly AnyKind[]
>;
