import type { JsonObject } from "@kubewright/core/json";
import type { AnyKind, ReadOf, ScopeOf, StatusOf, WriteMeta, WriteOf } from "../definition/index.js";
import type { SelectorInput } from "./selector-input.js";

/** How a client speaks to its server. */
export interface ClientOptions {
  /** The namespace of objects that are named without one. @default "default" */
  readonly namespace?: string;
  /** The field manager of writes that name none; the server's own default where this is left out too. */
  readonly fieldManager?: string;
  /** Sent as `User-Agent`. @default "kubewright" */
  readonly userAgent?: string;
  /** Is given each warning that the server sends along with an answer. */
  readonly onWarning?: (warning: string) => void;
}

/** Options of a read. */
export interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Answers may be as old as this version; `"0"` takes any. The newest where it is left out. */
  readonly resourceVersion?: string;
}

/** Options of a write. */
export interface WriteOptions {
  readonly signal?: AbortSignal;
  readonly fieldManager?: string;
  /** Everything is checked, nothing is stored. @default false */
  readonly dryRun?: boolean;
  /** What happens to fields that the schema does not know. The server's own default is `Warn`. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
}

/** Options of an apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes fields over from other managers instead of failing with a conflict. @default false */
  readonly force?: boolean;
}

/** Options of a delete. */
export interface DeleteOptions {
  readonly signal?: AbortSignal;
  readonly dryRun?: boolean;
  /** The delete fails with a conflict when the object is another one, or changed. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** What happens to the object's dependents. */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly gracePeriodSeconds?: number;
}

/** Which objects of a kind. */
export interface ListOptions {
  readonly signal?: AbortSignal;
  /** The client's default namespace where it is left out. */
  readonly namespace?: string;
  /** Objects of every namespace. @default false */
  readonly allNamespaces?: boolean;
  readonly labels?: SelectorInput;
  readonly fields?: SelectorInput;
  /** How many objects one request asks for. @default 500 */
  readonly pageSize?: number;
}

/** One page of a list. */
export interface ListPageOptions extends Omit<ListOptions, "pageSize"> {
  /** At most so many objects; all where it is left out. */
  readonly limit?: number;
  /** Where the page before ended. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
  /** False leaves objects as they were parsed, for a cache that freezes each on its first hand-out. @default true */
  readonly frozen?: boolean;
}

/** The objects of one page, and how to get the next. */
export interface ListPage<K extends AnyKind> {
  readonly items: readonly ReadOf<K>[];
  readonly resourceVersion: string;
  /** Given to `listPage` for the next page; undefined on the last one. */
  readonly continue: string | undefined;
}

/** Which objects to delete at once. */
export interface DeleteAllOptions extends Omit<ListOptions, "pageSize">, Omit<DeleteOptions, "preconditions"> {}

/** From where, and for how long, to watch. */
export interface WatchOptions extends Omit<ListOptions, "pageSize"> {
  readonly resourceVersion?: string;
  /** The server ends the watch after so many seconds. */
  readonly timeoutSeconds?: number;
  /** Lets the server tell now and then how far the watch has come. @default false */
  readonly allowBookmarks?: boolean;
}

type Named<K extends AnyKind> =
  ScopeOf<K> extends "Cluster"
    ? { readonly name: string; readonly namespace?: never }
    : { readonly name: string; readonly namespace?: string };

type Generated<K extends AnyKind> =
  ScopeOf<K> extends "Cluster"
    ? { readonly generateName: string; readonly name?: never; readonly namespace?: never }
    : { readonly generateName: string; readonly name?: never; readonly namespace?: string };

/** An object that is to be created: with a name, or with the start of one that the server completes. */
export type NewObject<K extends AnyKind> = { readonly metadata: WriteMeta & (Named<K> | Generated<K>) } & WriteOf<K>;

/** An object as it is to be. Give `resourceVersion` to fail when it changed since it was read. */
export type WrittenObject<K extends AnyKind> = {
  readonly metadata: WriteMeta & Named<K> & { readonly resourceVersion?: string; readonly uid?: string };
} & WriteOf<K>;

/** A change of an object, in one of the three patch languages of Kubernetes. */
export type ObjectPatch =
  | { readonly merge: JsonObject | object }
  | { readonly json: readonly object[] }
  | { readonly strategic: JsonObject | object };

/** An object with the status that it is to have. */
export type StatusObject<K extends AnyKind> = {
  readonly metadata: Named<K> & { readonly resourceVersion?: string; readonly uid?: string };
  readonly status: StatusOf<K>;
};
