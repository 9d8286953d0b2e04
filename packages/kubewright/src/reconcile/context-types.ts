import type { Duration } from "@kubewright/core/meta";
import type { AnyRead, Selected } from "../cache/index.js";
import type { ExecOptions, NewObject } from "../client/index.js";
import type { AnyKind, Declared, Kind, ReadOf, Rejected, ScopeOf, WriteMeta, WriteOf } from "../definition/index.js";
import type { AnyWatch } from "../route/index.js";
import type { AnyUse, Live, May, MayVerb, Untracked } from "./uses.js";

/** The kind of an entry of `owns`. */
type OwnedOf<O extends AnyRead> = O extends AnyKind ? O : O extends Selected<infer K> ? K : never;

/** A kind that is owned. */
export type OwnedKind<C extends AnyKind, Owns extends readonly AnyRead[]> = Declared<
  C,
  OwnedOf<Owns[number]>,
  "declare this kind in `owns` or `manages`"
>;

/** A kind that is owned, or that `may` allows a verb on. */
export type WritableKind<
  C extends AnyKind,
  Owns extends readonly AnyRead[],
  Uses extends readonly AnyUse[],
  V extends MayVerb,
> = Declared<
  C,
  Writable<Owns, Uses, V>,
  Owns extends readonly []
    ? `add may(kind, "${V}") to \`uses\``
    : `declare this kind in \`owns\`, or add may(kind, "${V}") to \`uses\``
>;

/** A kind that `may` allows a verb on. */
export type AllowedKind<C extends AnyKind, Uses extends readonly AnyUse[], V extends MayVerb> = Declared<
  C,
  MayUse<Uses[number], V>,
  `add may(kind, "${V}") to \`uses\``
>;

/** A kind that can be read one by one. */
export type ReadableKind<
  C extends AnyKind,
  Owns extends readonly AnyRead[],
  Uses extends readonly AnyUse[],
  Watches extends readonly AnyWatch[],
> = Declared<C, Readable<Owns, Uses, Watches>, "declare this kind in `owns`, `uses` or `watches`">;

/** A kind that can be listed. */
export type ListableKind<
  C extends AnyKind,
  Owns extends readonly AnyRead[],
  Uses extends readonly AnyUse[],
  Watches extends readonly AnyWatch[],
> = Declared<C, Listable<Owns, Uses, Watches>, "declare this kind in `owns`, `uses` (not as live) or `watches`">;

/** A kind that is cached. */
export type CachedKindOf<
  C extends AnyKind,
  Owns extends readonly AnyRead[],
  Uses extends readonly AnyUse[],
  Watches extends readonly AnyWatch[],
> = Declared<
  C,
  OwnedOf<Owns[number]> | CachedUse<Uses[number]> | Watched<Watches[number]>,
  "declare this kind in `owns`, `uses` (not as live) or `watches`"
>;

/** Kinds that `uses` caches. */
type CachedUse<U extends AnyUse> = U extends AnyKind
  ? U
  : U extends Selected<infer K>
    ? K
    : U extends Untracked<infer Used>
      ? CachedUse<Used>
      : never;
/** Kinds that `uses` reads live. */
type LiveUse<U extends AnyUse> = U extends Live<infer K> ? K : never;
/** Kinds on which `uses` allows a verb. */
export type MayUse<U extends AnyUse, V extends MayVerb> =
  U extends May<infer K, infer Allowed> ? (V extends Allowed ? K : never) : never;
/** Kinds that `watches` caches. */
type Watched<W extends AnyWatch> = W["kind"];

/** The names of the indexes that `owns` and `uses` declare for a kind. */
export type IndexOf<U extends AnyUse, C extends AnyKind> =
  U extends Selected<infer K, infer Index>
    ? C extends K
      ? Index
      : never
    : U extends Untracked<infer Used>
      ? IndexOf<Used, C>
      : never;

/** Kinds that a context can get and find. */
export type Readable<
  Owns extends readonly AnyRead[],
  Uses extends readonly AnyUse[],
  Watches extends readonly AnyWatch[],
> =
  | OwnedOf<Owns[number]>
  | CachedUse<Uses[number]>
  | LiveUse<Uses[number]>
  | MayUse<Uses[number], "get">
  | Watched<Watches[number]>;

/** Kinds that a context can list. */
export type Listable<
  Owns extends readonly AnyRead[],
  Uses extends readonly AnyUse[],
  Watches extends readonly AnyWatch[],
> = OwnedOf<Owns[number]> | CachedUse<Uses[number]> | MayUse<Uses[number], "list"> | Watched<Watches[number]>;

/** Kinds that a context can write by a verb. */
export type Writable<Owns extends readonly AnyRead[], Uses extends readonly AnyUse[], V extends MayVerb> =
  | OwnedOf<Owns[number]>
  | MayUse<Uses[number], V>;

/**
 * How a controller of kind `O` names an object of kind `C`: by name in the owner's namespace, or with a namespace; where
 * the owner has no namespace, it must be given.
 */
export type NameFor<O extends AnyKind, C extends AnyKind> =
  ScopeOf<C> extends "Cluster"
    ? string | { readonly name: string; readonly namespace?: never }
    : ScopeOf<O> extends "Cluster"
      ? { readonly name: string; readonly namespace: string }
      : string | { readonly name: string; readonly namespace?: string };

/** A child lives in its owner's namespace and does not name it; a child of a cluster-scoped owner must. */
type ChildNamespace<O extends AnyKind, C extends AnyKind> =
  ScopeOf<C> extends "Cluster"
    ? { readonly namespace?: never }
    : ScopeOf<O> extends "Cluster"
      ? { readonly namespace: string }
      : { readonly namespace?: never };

/** The framework sets owner references. */
type ChildMeta<O extends AnyKind, C extends AnyKind> = Omit<WriteMeta, "ownerReferences"> & ChildNamespace<O, C>;

/** Kubernetes forbids that a namespaced owner owns a cluster-scoped object. */
type IfOwnable<O extends AnyKind, C extends AnyKind, Child> =
  ScopeOf<C> extends "Cluster"
    ? ScopeOf<O> extends "Cluster"
      ? Child
      : Rejected<"a namespaced owner cannot own a cluster-scoped object; declare it in `manages`">
    : Child;

/** Stands for an owner without a namespace: namespaced objects are named with theirs. */
export type NoNamespace = Kind<string, "Cluster">;

/** The owner whose namespace a child of kind `C` shares: none for a managed kind. */
export type OwnerFor<O extends AnyKind, C extends AnyKind, Manages extends readonly AnyKind[]> = [C] extends [
  Manages[number],
]
  ? NoNamespace
  : O;

/** The desired state of a child of kind `C` of an owner of kind `O`. */
export type ChildOf<O extends AnyKind, C extends AnyKind> = IfOwnable<
  O,
  C,
  { readonly metadata: ChildMeta<O, C> & { readonly name: string } } & WriteOf<C>
>;

/** The name of a child: a namespace is given only where the owner has none. */
export type ChildNameFor<O extends AnyKind, C extends AnyKind> =
  ScopeOf<C> extends "Cluster"
    ? string
    : ScopeOf<O> extends "Cluster"
      ? { readonly name: string; readonly namespace: string }
      : string;

/** A child of kind `C` at its creation, without its name. */
export type InitialChildOf<O extends AnyKind, C extends AnyKind> = IfOwnable<
  O,
  C,
  {
    readonly metadata?: Omit<WriteMeta, "ownerReferences"> & { readonly name?: never; readonly namespace?: never };
  } & WriteOf<C>
>;

/** A child to create: with a name, or with a `generateName` prefix. */
export type NewChildOf<O extends AnyKind, C extends AnyKind> = IfOwnable<
  O,
  C,
  {
    readonly metadata: ChildMeta<O, C> &
      ({ readonly name: string } | { readonly generateName: string; readonly name?: never });
  } & WriteOf<C>
>;

/** What `create` takes: a child for owned kinds, any object for kinds that `may` allows to create. */
export type CreatedBy<O extends AnyKind, Owns extends readonly AnyRead[], C extends AnyKind> =
  C extends OwnedOf<Owns[number]> ? NewChildOf<O, C> : NewObject<C>;

/** How a child is applied. */
export interface ApplyChildOptions {
  /** Takes over an existing object: `true` one without a controller, `"orphaned"` only one that this controller made. @default false */
  readonly adopt?: boolean | "orphaned";
  /**
   * What to do where the server rejects the change of an immutable field, such as a Job's template or a StatefulSet's volumeClaimTemplates: `"recreate"`
   * deletes the child with its dependents and creates it again, `"orphan"` keeps the dependents. Each time is an event `Recreated` of the owner; in quick
   * succession the creation is delayed (CHILD_DELETED). @default the error of the server
   */
  readonly onImmutable?: "recreate" | "orphan";
}

/** How an object is deleted. */
export interface ContextDeleteOptions {
  /** How long a Pod may take to terminate; the kind's own default where it is left out. */
  readonly gracePeriodSeconds?: number;
  /** What happens to its dependents. @default "Background" */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  /** Deletes only the object with this uid, not a new one of the same name. */
  readonly uid?: string;
}

/** Options of `waitFor` of a context. */
export interface ContextWaitOptions<K extends AnyKind> {
  /** The condition. Receives undefined while the object does not exist. */
  readonly until: (object: ReadOf<K> | undefined) => boolean;
  /** How long to wait; rejects with WAIT_TIMEOUT then. */
  readonly timeout: Duration;
}

/** A command to run in a container. The run's signal aborts it. */
export type ContextExecOptions = Omit<ExecOptions, "signal">;

/** A token of a service account. */
export interface ServiceAccountToken {
  readonly token: string;
  readonly expirationTimestamp: string;
}
