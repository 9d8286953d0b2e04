import type { Clock } from "@kubewright/core/clock";
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
  /** Called with each warning of the server, for instance that an API is deprecated. */
  readonly onWarning?: (warning: string) => void;
  /** False passes each distinct warning only once. @default true */
  readonly repeatWarnings?: boolean;
  /** What happens to fields that the schema does not know, for writes that do not say. The server's own default is `Warn`. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** Measures `timeout`. @default the machine's */
  readonly clock?: Clock;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * The timeout of each request of the call, retries by the transport included; the call then rejects with TRANSPORT_FAILED, whose cause is
   * a `TimeoutError`. For a watch: until the server accepted it.
   */
  readonly timeout?: Duration;
}

/** Options of a read. */
export interface ReadOptions extends CallOptions {
  /** The response may be as old as this version; `"0"` accepts any. The newest where it is left out. */
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
   * False: it continues with newer pages; an object that was created, deleted or changed meanwhile may be missing or newer.
   * @default false
   */
  readonly consistent?: boolean;
  /**
   * Whether objects come with `metadata.managedFields`, the field ownership of server-side apply: about half of all bytes, and rarely read.
   * `get`, `find` and responses to writes always have it. @default false
   */
  readonly managedFields?: boolean;
}

/** Which part of a container's log is read; the names are those of the API. */
export interface LogOptions {
  /** Needed where the Pod has several containers. */
  readonly container?: string;
  /** The log of the container before its last restart. @default false */
  readonly previous?: boolean;
  /** Only the last lines. */
  readonly tailLines?: number;
  /** Only lines since then. */
  readonly sinceSeconds?: number;
  /** Ends the log after that many bytes. */
  readonly limitBytes?: number;
  /** Adds a time to each line. @default false */
  readonly timestamps?: boolean;
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
  /** How many objects are left after this page, where the server reports it: not with selectors. */
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
  /** The server closes the watch after so many seconds. */
  readonly timeoutSeconds?: number;
  /** Asks for bookmarks. @default false */
  readonly allowBookmarks?: boolean;
  /**
   * Starts with each object as `ADDED`, and a bookmark with `initialEventsEnd` when the list is complete: a streaming list, list and watch in one
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

/** The desired state of an object. With `resourceVersion` the write fails when the object changed since it was read. */
export type WrittenObject<K extends AnyKind> = {
  readonly metadata: WriteMeta & NamedMeta<K> & { readonly resourceVersion?: string; readonly uid?: string };
} & WriteOf<K>;

/** An object with the status that it is to have. */
export type StatusObject<K extends AnyKind> = {
  readonly metadata: NamedMeta<K> & { readonly resourceVersion?: string; readonly uid?: string };
  readonly status: StatusOf<K>;
};
