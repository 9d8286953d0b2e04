import { OperatorError } from "@kubewright/core/errors";
import { parseApiVersion } from "@kubewright/core/identity";
import { defineKind, type Kind, type KindTypes, type ReadMeta, type Scope } from "../definition/index.js";

/** An object of a kind that is known only at run time. */
export interface DynamicObject {
  apiVersion: string;
  kind: string;
  metadata: ReadMeta;
  [field: string]: unknown;
}

/** The types of a kind that is known only at run time. */
export interface DynamicTypes extends KindTypes {
  read: DynamicObject;
  write: { readonly [field: string]: unknown };
  status: unknown;
  conditions: never;
}

/** A kind whose objects have no type but that of every object. */
export type DynamicKind<S extends Scope = Scope> = Kind<string, S, DynamicTypes>;

/**
 * The handle of a kind that is known only at run time, or for which there are no types, without asking a server: objects are JSON with metadata.
 * Where a server can be asked, `client.kind("widgets")` finds what is needed by itself. It can stand wherever a kind stands; what a controller
 * declares so is checked when it runs, since the compiler cannot distinguish two of them.
 *
 * @example
 * const Widget = dynamic({ apiVersion: "example.com/v1", kind: "Widget", plural: "widgets", scope: "Namespaced" });
 */
export function dynamic<const S extends Scope>(identity: {
  readonly apiVersion: string;
  readonly kind: string;
  /** The resource's name in paths. */
  readonly plural: string;
  readonly scope: S;
}): DynamicKind<S> {
  const { apiVersion, kind, plural, scope } = identity;
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined || kind === "" || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(plural)) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot name the kind "${kind}" of "${apiVersion}": give an API version such as "example.com/v1", a kind and its plural`,
    );
  }
  return defineKind<string, S, DynamicTypes>({ ...parsed, kind, plural, scope });
}

/** A kind found by discovery: a handle with its discovery document. */
export interface DiscoveredKind extends Kind<string, Scope, DynamicTypes> {
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** Groups of kinds that people address together, for instance `all`. */
  readonly categories: readonly string[];
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`: those that the server has. */
  readonly verbs: readonly string[];
  /** Names such as `status` and `scale`. */
  readonly subresources: readonly string[];
}

/** The discovery document of one kind. */
export interface KindFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

/** Makes the handle. */
export function discoveredKind(facts: KindFacts): DiscoveredKind {
  const { group, version, kind, plural, namespaced } = facts;
  const scope: Scope = namespaced ? "Namespaced" : "Cluster";
  return Object.freeze({
    ...defineKind<string, Scope, DynamicTypes>({ group, version, kind, plural, scope }),
    singular: facts.singular === "" ? kind.toLowerCase() : facts.singular,
    shortNames: Object.freeze([...facts.shortNames]),
    categories: Object.freeze([...facts.categories]),
    verbs: Object.freeze([...facts.verbs]),
    subresources: Object.freeze([...facts.subresources]),
  });
}
