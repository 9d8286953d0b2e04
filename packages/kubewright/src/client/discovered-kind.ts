import { defineKind, type Kind, type KindTypes, type ReadMeta, type Scope } from "../definition/index.js";

/** An object of a kind that is known only at run time. */
export interface DynamicObject {
  apiVersion: string;
  kind: string;
  metadata: ReadMeta;
  [field: string]: unknown;
}

interface DynamicTypes extends KindTypes {
  read: DynamicObject;
  write: { readonly [field: string]: unknown };
  status: unknown;
  conditions: never;
}

/** A kind that a server told of: a handle like any other, with what the server says about it. */
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

/** What a server says about one kind. */
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
