import type { Clock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import type { Duration } from "@kubewright/core/meta";
import type { AnyKind, ReadOf, ScopeOf, StatusOf, WriteMeta, WriteOf } from "../definition/index.js";
import type { LabelSelectorInput, SelectorInput } from "./selector-input.js";

/** How a client speaks to its server. */
export interface ClientOptions {
  /** The namespace of objects that are named without one. @default "default" */
  readonly namespace?: string;
  /** The field manager of writes that name none; the server's own default where this is left out too. */
  readonly fieldManager?: string;
  /** Sent as `User-Agent`. @default "kubewright" */
  readonly userAgent?: string;
  /** Is given each warning that the server sends along with an answer, for instance that an API is deprecated. */
  readonly onWarning?: (warning: string) => void;
  /** False gives each text of a warning only once in the life of the client. @default true */
  readonly repeatWarnings?: boolean;
  /** What happens to fields that the schema does not know, for writes that do not say. The server's own default is `Warn`. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** Measures `timeout`. @default the machine's */
  readonly clock?: Clock;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Ends each request of the call after so long, repetitions by the transport included; it then rejects with TRANSPORT_FAILED, whose cause is
   * a `TimeoutError`. For a watch: until the server accepted it.
   */
  readonly timeout?: Duration;
}

/** Options of a read. */
export interface ReadOptions extends CallOptions {
  /** Answers may be as old as this version; `"0"` takes any. The newest where it is left out. */
  readonly resourceVersion?: string;
}

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  /** Owns the fields that the write sets. @default the client's */
  readonly fieldManager?: string;
  /** Everything is checked, nothing is stored. @default false */
  readonly dryRun?: boolean;
  /** What happens to fields that the schema does not know. The server's own default is `Warn`. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
}

/** Options of a change of scale. */
export interface ScaleOptions extends WriteOptions {
  /** Of the scale that was read: the write fails with a conflict when the object changed since. */
  readonly resourceVersion?: string;
}

/** Options of an apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes fields over from other managers instead of failing with a conflict. @default false */
  readonly force?: boolean;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  /** Everything is checked, nothing is deleted. @default false */
  readonly dryRun?: boolean;
  /** The delete fails with a conflict when the object is another one, or changed. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** What happens to the object's dependents. */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  /** How long a Pod may take to terminate; 0 deletes at once. The kind's own default where it is left out. */
  readonly gracePeriodSeconds?: number;
}

/** Which objects of a kind. */
export interface ListOptions extends CallOptions {
  /** The client's default namespace where it is left out. */
  readonly namespace?: string;
  /** Objects of every namespace. @default false */
  readonly allNamespaces?: boolean;
  /** Only objects that this label selector matches. */
  readonly labels?: LabelSelectorInput;
  /** Only objects that this field selector matches, of the fields that the kind can be selected by. */
  readonly fields?: SelectorInput;
  /** How many objects one request asks for. @default 500 */
  readonly pageSize?: number;
  /** Which state the list shows, together with `resourceVersionMatch`. The newest where it is left out. */
  readonly resourceVersion?: string;
  /** How `resourceVersion` is meant: that very state, or one not older. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
  /**
   * True: every page shows the state of the first; where the server has forgotten it before the last page, the list throws (`isExpired`).
   * False: it goes on with newer pages, and an object that came, went or changed in between may be missing or shown as it is later.
   * @default false
   */
  readonly consistent?: boolean;
  /**
   * Whether objects come with `metadata.managedFields`, the server's record of who set which field: about half of all bytes, which few readers
   * look at. Objects that are read one by one, and answers to writes, always have it. @default false
   */
  readonly managedFields?: boolean;
}

/** One page of a list. */
export interface ListPageOptions extends Omit<ListOptions, "pageSize" | "consistent"> {
  /** At most so many objects; all where it is left out. */
  readonly limit?: number;
  /** Where the page before ended. */
  readonly continue?: string;
}

/** The objects of one page, and how to get the next. */
export interface ListPage<K extends AnyKind> {
  readonly items: readonly ReadOf<K>[];
  readonly resourceVersion: string;
  /** Given to `listPage` for the next page; undefined on the last one. */
  readonly continue: string | undefined;
  /** How many objects are left after this page, where the server tells: not with selectors. */
  readonly remainingItemCount: number | undefined;
}

/** Which objects to delete at once. */
export interface DeleteAllOptions
  extends Pick<ListOptions, "namespace" | "allNamespaces" | "labels" | "fields">,
    Omit<DeleteOptions, "preconditions"> {}

/** From where, and for how long, to watch. */
export interface WatchOptions
  extends CallOptions,
    Pick<ListOptions, "namespace" | "allNamespaces" | "labels" | "fields" | "managedFields"> {
  /** Events after this version. Where it is left out: each object as `ADDED` first, then what happens. */
  readonly resourceVersion?: string;
  /** The server ends the watch after so many seconds. */
  readonly timeoutSeconds?: number;
  /** Lets the server tell now and then how far the watch has come. @default false */
  readonly allowBookmarks?: boolean;
  /**
   * Begins with each object as `ADDED`, and tells by a bookmark with `initialEventsEnd` when that is complete: a list and a watch in one
   * request. Includes `allowBookmarks`. @default false
   */
  readonly sendInitialEvents?: boolean;
}

/** The name of an object, and its namespace where its kind has them. */
export type NamedMeta<K extends AnyKind> =
  ScopeOf<K> extends "Cluster"
    ? { readonly name: string; readonly namespace?: never }
    : { readonly name: string; readonly namespace?: string };

/** The prefix of a name that the server completes. */
export type GeneratedMeta<K extends AnyKind> =
  ScopeOf<K> extends "Cluster"
    ? { readonly generateName: string; readonly name?: never; readonly namespace?: never }
    : { readonly generateName: string; readonly name?: never; readonly namespace?: string };

/** An object that is to be created: with a name, or with the start of one that the server completes. */
export type NewObject<K extends AnyKind> = {
  readonly metadata: WriteMeta & (NamedMeta<K> | GeneratedMeta<K>);
} & WriteOf<K>;

/** An object as it is to be. Give `resourceVersion` to fail when it changed since it was read. */
export type WrittenObject<K extends AnyKind> = {
  readonly metadata: WriteMeta & NamedMeta<K> & { readonly resourceVersion?: string; readonly uid?: string };
} & WriteOf<K>;

/** A change of an object, in one of the three patch languages of Kubernetes. */
export type ObjectPatch =
  | { readonly merge: JsonObject | object }
  | { readonly json: readonly object[] }
  | { readonly strategic: JsonObject | object };

/** An object with the status that it is to have. */
export type StatusObject<K extends AnyKind> = {
  readonly metadata: NamedMeta<K> & { readonly resourceVersion?: string; readonly uid?: string };
  readonly status: StatusOf<K>;
};
