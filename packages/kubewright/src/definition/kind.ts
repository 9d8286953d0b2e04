import type { ManagedFieldsEntry, OwnerReference } from "@kubewright/core/identity";
import type { DeepReadonly } from "@kubewright/core/json";

/** Whether a kind is namespaced or cluster-scoped. */
export type Scope = "Namespaced" | "Cluster";

/** The static types that a kind carries. They exist for the compiler only. */
export interface KindTypes {
  /** What a read returns: the whole object. */
  readonly read: object;
  /** The fields of a write, without `apiVersion`, `kind`, `metadata` and `status`. */
  readonly write: object;
  /** The object's status; `never` where it has none. */
  readonly status: unknown;
  /** Condition types, each with the union of its reasons; `never` where none are declared. */
  readonly conditions: unknown;
}

/**
 * A kind as a value: its group, version, kind and plural, and, for the compiler, the types of its objects.
 *
 * `Id` is the literal `"group/version/Kind"` (`"/v1/ConfigMap"` for the core group), so that kinds with the same name in two groups are different types.
 */
export interface Kind<Id extends string = string, S extends Scope = Scope, T extends KindTypes = KindTypes> {
  readonly id: Id;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The resource name in API paths: plural, lower case. */
  readonly plural: string;
  readonly scope: S;
  /** The cluster of its objects, see `ofCluster`. @default the operator's own cluster */
  readonly cluster?: string;
  /** Phantom type: absent at run time. */
  readonly "~types"?: T;
}

/** Any kind, where its types do not matter. */
// biome-ignore lint/suspicious/noExplicitAny: the bound of generics over kinds; `unknown` would reject every concrete kind
export type AnyKind = Kind<string, Scope, any>;

/** The types that a kind carries. */
export type TypesOf<K extends AnyKind> = NonNullable<K["~types"]>;

/** An object of this kind as it is read: frozen, so deeply readonly. */
export type ReadOf<K extends AnyKind> = DeepReadonly<TypesOf<K>["read"]>;

/** The object type of a kind: `type Website = ObjectOf<typeof Website>`. */
export type ObjectOf<K extends AnyKind> = TypesOf<K>["read"];

/** The writable fields of an object of this kind, without its metadata. Accepts deeply readonly values, so that an object that was read can be written. */
export type WriteOf<K extends AnyKind> = DeepReadonly<TypesOf<K>["write"]>;

/** The status of this kind, as a mutable draft. */
export type StatusOf<K extends AnyKind> = TypesOf<K>["status"];

/** Condition types of this kind with their reasons: `{ Ready: "Available" | "Progressing" }`. */
export type ConditionsOf<K extends AnyKind> = TypesOf<K>["conditions"];

/** The scope of this kind. */
export type ScopeOf<K extends AnyKind> = K["scope"];

/** The metadata of an object that was read. */
export interface ReadMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** The metadata that users write, without name and namespace. */
export interface WriteMeta {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/**
 * Defines a kind with hand-written types, such as a kind of another operator.
 *
 * @example
 * const Issuer = defineKind<"cert-manager.io/v1/Issuer", "Namespaced", IssuerTypes>({
 *   group: "cert-manager.io", version: "v1", kind: "Issuer", plural: "issuers", scope: "Namespaced",
 * });
 */
export function defineKind<const Id extends string, const S extends Scope, T extends KindTypes>(identity: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: S;
}): Kind<Id, S, T> {
  return Object.freeze({ id: `${identity.group}/${identity.version}/${identity.kind}` as Id, ...identity });
}
