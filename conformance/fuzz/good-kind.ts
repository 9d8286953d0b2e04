import type { JsonObject } from "@kubewright/core/json";

/** A built-in kind with objects that a real server takes, rich in fields: what disturbed ones are made from. */
export interface GoodKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Of its collection. */
  readonly path: string;
  /** The name of its objects; those of kinds that belong to no namespace have that of the case in it. */
  readonly name: string;
  /** Everything beside apiVersion and kind; metadata without a name get {@link name}. */
  readonly objects: readonly JsonObject[];
  /** Statuses, for the path of that name; none where there is no such path. */
  readonly statuses: readonly JsonObject[];
  /** Whether objects of the kind have an effect on other requests, or change by themselves, so that disturbed ones are only tried. */
  readonly isEffective: boolean;
  /** Whether controllers of a real server change what is stored, so that objects of the kind are only tried. */
  readonly isWatched: boolean;
  /** Whether a real server tells empty lists from none where it compares. */
  readonly seesEmpty: boolean;
  /** Whether a real server keeps objects in use by a finalizer, so that they are left where they are. */
  readonly isProtected: boolean;
}

/** What is told of a kind; the rest follows from it. */
export interface GoodKindOptions {
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** For kinds that belong to no namespace. */
  readonly clusterName?: string;
  readonly objects: readonly JsonObject[];
  readonly statuses?: readonly JsonObject[];
  readonly isEffective?: boolean;
  readonly isWatched?: boolean;
  readonly seesEmpty?: boolean;
  readonly isProtected?: boolean;
}

/** A kind, from what is told of it. */
export function goodKind(options: GoodKindOptions): GoodKind {
  const { version, kind, plural, clusterName, objects, statuses = [] } = options;
  const { isEffective = false, isWatched = false, seesEmpty = false, isProtected = false } = options;
  const root = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
  return {
    apiVersion: version,
    kind,
    path: `${root}${clusterName === undefined ? "/namespaces/{ns}" : ""}/${plural}`,
    name: clusterName ?? "a",
    objects,
    statuses,
    isEffective,
    isWatched,
    seesEmpty,
    isProtected,
  };
}
