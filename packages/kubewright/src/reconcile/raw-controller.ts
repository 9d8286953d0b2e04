import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { Duration } from "@kubewright/core/meta";
import type { NewObject, ObjectPatch, WrittenObject } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { AnyWatch, Cause, Source } from "../route/index.js";
import type { EventType, RecordedEvent } from "../status/index.js";
import type { AllowedActions } from "./allowed-actions.js";
import type { ChildKind } from "./child-kinds.js";
import type { ContextListOptions } from "./context.js";
import type {
  AllowedKind,
  CachedKindOf,
  ContextDeleteOptions,
  ContextWaitOptions,
  IndexOf,
  ListableKind,
  NameFor,
  NoNamespace,
  ReadableKind,
} from "./context-types.js";
import type { ReconcileReturn, RequeueAfter, RequeueOptions } from "./outcome.js";
import { type AnyUse, type Use, usesOf } from "./uses.js";
import { type WorkOptions, type WorkSettings, workSettings } from "./work-options.js";

/** The argument of a raw controller's `reconcile`: a key, and access to what the controller declared. */
export interface RawContext<Uses extends readonly AnyUse[], Watches extends readonly AnyWatch[]>
  extends AllowedActions<NoNamespace, Uses> {
  /** What to reconcile; the controller chooses its keys. */
  readonly key: string;
  /** The object; throws when it is missing. Reads of cached kinds in `uses` are tracked: the key is reconciled again when what was read changes. */
  readonly get: <C extends AnyKind>(
    kind: ReadableKind<C, readonly [], Uses, Watches>,
    name: NameFor<NoNamespace, C>,
  ) => Promise<ReadOf<C>>;
  /** The object, or undefined when it is missing. Tracked as `get`. */
  readonly find: <C extends AnyKind>(
    kind: ReadableKind<C, readonly [], Uses, Watches>,
    name: NameFor<NoNamespace, C>,
  ) => Promise<ReadOf<C> | undefined>;
  /** All objects that match; of all namespaces where none is given. Tracked: also when an object starts or stops to match. */
  readonly list: <C extends AnyKind>(
    kind: ListableKind<C, readonly [], Uses, Watches>,
    options?: ContextListOptions<IndexOf<Uses[number], C>>,
  ) => Promise<readonly ReadOf<C>[]>;
  /** Server-side apply with forced fields, as the controller's field manager. Needs `may(kind, "create", "patch")`. */
  readonly apply: <C extends AnyKind>(
    kind: AllowedKind<C, Uses, "create"> & AllowedKind<C, Uses, "patch">,
    object: WrittenObject<C>,
  ) => Promise<ReadOf<C>>;
  readonly create: <C extends AnyKind>(
    kind: AllowedKind<C, Uses, "create">,
    object: NewObject<C>,
  ) => Promise<ReadOf<C>>;
  readonly patch: <C extends AnyKind>(
    kind: AllowedKind<C, Uses, "patch">,
    name: NameFor<NoNamespace, C>,
    patch: ObjectPatch<NoInfer<C>>,
  ) => Promise<ReadOf<C>>;
  /** Deletes an object; a missing one is no error. */
  readonly delete: <C extends AnyKind>(
    kind: AllowedKind<C, Uses, "delete">,
    name: NameFor<NoNamespace, C>,
    options?: ContextDeleteOptions,
  ) => Promise<void>;
  /** Records an event about an object that the controller reads. */
  readonly event: <C extends AnyKind>(
    kind: ReadableKind<C, readonly [], Uses, Watches>,
    object: ReadOf<C>,
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
    kind: CachedKindOf<C, readonly [], Uses, Watches>,
    name: NameFor<NoNamespace, C>,
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

/** A raw context whose kinds are known at run time only. */
export type AnyRawContext = RawContext<readonly AnyUse[], readonly AnyWatch[]>;

/** What a raw controller does, and what it may read and write. */
export interface RawControllerOptions<Uses extends readonly AnyUse[], Watches extends readonly AnyWatch[]>
  extends WorkOptions {
  /** In logs and metrics. */
  readonly name: string;
  /** Owns the fields that it applies. @default the name */
  readonly fieldManager?: string;
  /** Keys that are reconciled at the start, such as `["all"]`. @default none */
  readonly keys?: readonly string[];
  /** Kinds that are read and written, as in `controller`; nothing is owned. */
  readonly uses?: Uses;
  /** Kinds whose changes lead to keys: what a mapping returns is the key, `{ namespace, name }` becomes `namespace/name`. */
  readonly watches?: Watches;
  /** Reasons to reconcile that are not in the cluster: `every` is for each key that is known from the caches and from `keys`. */
  readonly sources?: readonly Source[];
  /** As `reconcile` of `controller`, for a key. Never runs twice at once for one key; must be safe to repeat. */
  readonly reconcile: (context: RawContext<Uses, Watches>) => ReconcileReturn | Promise<ReconcileReturn>;
}

/** A controller without a kind of its own, as data. Starts nothing. */
export interface RawController extends WorkSettings {
  readonly role: "raw";
  readonly kind: undefined;
  readonly name: string;
  readonly fieldManager: string;
  readonly keys: readonly string[];
  readonly owns: readonly AnyKind[];
  readonly manages: readonly AnyKind[];
  readonly children: readonly ChildKind[];
  readonly uses: readonly Use[];
  readonly watches: readonly AnyWatch[];
  readonly sources: readonly Source[];
  readonly reconcile: (context: AnyRawContext) => ReconcileReturn | Promise<ReconcileReturn>;
}

/**
 * Describes a controller whose keys are its own: for what does not fit one object per key, such as one key per zone, per team, or one for all.
 * Queue, retries, permissions, leader election and sharding are those of every controller; there is no object, so no status, owner or finalizer.
 *
 * @example
 * const zones = rawController({
 *   name: "zones",
 *   uses: [may(ConfigMap, "create", "patch")],
 *   watches: [watch(Node, { to: ({ metadata }) => metadata.labels?.["zone"] })],
 *   reconcile: async ({ key, list, apply }) => {
 *     const nodes = await list(Node, { labels: { zone: key } });
 *     await apply(ConfigMap, { metadata: { namespace: "default", name: key }, data: { nodes: String(nodes.length) } });
 *   },
 * });
 */
export function rawController<
  const Uses extends readonly AnyUse[] = readonly [],
  const Watches extends readonly AnyWatch[] = readonly [],
>(options: RawControllerOptions<Uses, Watches>): RawController {
  const { name, keys = [], sources = [] } = options;
  const fail = (why: string) => new OperatorError("CONFIG_INVALID", `Cannot make controller "${name}": ${why}`);
  if (name === "") throw fail("it has no name");
  if (keys.some((key) => key === "")) throw fail("a key is empty");
  const watches: readonly AnyWatch[] = options.watches ?? [];
  if (keys.length === 0 && watches.length === 0 && sources.length === 0)
    throw fail("no source of keys; set `keys`, `watches` or `sources`");
  // Here the declared kinds leave the type system; the context of a run checks them at run time.
  const { reconcile } = options as unknown as Pick<RawController, "reconcile">;
  return Object.freeze({
    role: "raw",
    kind: undefined,
    name,
    fieldManager: options.fieldManager ?? name,
    keys,
    owns: [],
    manages: [],
    children: [],
    uses: usesOf(options.uses ?? [], watches, []),
    watches,
    sources,
    ...workSettings(name, options),
    reconcile,
  });
}
