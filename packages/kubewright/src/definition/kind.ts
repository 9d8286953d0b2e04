import type { ManagedFieldsEntry, OwnerReference } from "@kubewright/core/identity";
import type { DeepReadonly } from "@kubewright/core/json";

/** Whether objects of a kind live in a namespace. */
export type Scope = "Namespaced" | "Cluster";

/** The static types that a kind carries. They exist for the compiler only. */
export interface KindTypes {
  /** What a read returns: the whole object. */
  readonly read: object;
  /** What writing takes, without `apiVersion`, `kind`, `metadata` and `status`. */
  readonly write: object;
  /** The object's status; `never` where it has none. */
  readonly status: unknown;
  /** Condition types, each with the union of its reasons; `never` where none are declared. */
  readonly conditions: unknown;
}

/**
 * A kind of object as a value: who it is, and, for the compiler, what it looks like.
 *
 * `Id` is the literal `"group/version/Kind"` (`"/v1/ConfigMap"` for the core group), so that kinds of one name in two groups are different types.
 */
export interface Kind<Id extends string = string, S extends Scope = Scope, T extends KindTypes = KindTypes> {
  readonly id: Id;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The resource's name in paths: plural, lower case. */
  readonly plural: string;
  readonly scope: S;
  /** The cluster that its objects are in, see `ofCluster`; the operator's own where it is left out. */
  readonly cluster?: string;
  /** Phantom: never there at run time. */
  readonly "~types"?: T;
}

/** Any kind, where its types do not matter. */
// biome-ignore lint/suspicious/noExplicitAny: the bound of generics over kinds; `unknown` would refuse every concrete kind
export type AnyKind = Kind<string, Scope, any>;

/** The types that a kind carries. */
export type TypesOf<K extends AnyKind> = NonNullable<K["~types"]>;

/** An object of this kind as it is read: frozen, so deeply readonly. */
export type ReadOf<K extends AnyKind> = DeepReadonly<TypesOf<K>["read"]>;

/** An object of this kind, as one writes its type in one's own code: `type Website = ObjectOf<typeof Website>`. */
export type ObjectOf<K extends AnyKind> = TypesOf<K>["read"];

/** The fields of an object of this kind that one writes, beside its metadata. Takes deeply readonly values: what was read can be written. */
export type WriteOf<K extends AnyKind> = DeepReadonly<TypesOf<K>["write"]>;

/** The status of this kind, as a draft that can be changed. */
export type StatusOf<K extends AnyKind> = TypesOf<K>["status"];

/** Condition types of this kind with their reasons: `{ Ready: "Available" | "Progressing" }`. */
export type ConditionsOf<K extends AnyKind> = TypesOf<K>["conditions"];

/** The scope of this kind. */
export type ScopeOf<K extends AnyKind> = K["scope"];

/** Metadata of an object that was read. */
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

/** Metadata that a person writes, beside name and namespace. */
export interface WriteMeta {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/**
 * The handle of a kind whose types are written by hand, such as one of another operator.
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
