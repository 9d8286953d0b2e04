import type { DeepReadonly } from "@kubewright/core/json";
import type { Binding, Scale, TokenRequest } from "../client/index.js";
import type { AnyKind, ObjectOf, ReadMeta } from "../definition/index.js";

/** The options of `exec` and `attach` of a Pod. */
export interface PodStreamOptions {
  /** Which of the two. */
  kind: "PodExecOptions" | "PodAttachOptions";
  /** The core group. */
  apiVersion: "v1";
  /** The container; absent where the Pod has one. */
  container?: string;
  /** Of `exec`. */
  command?: string[];
  /** Whether standard input is redirected. */
  stdin?: boolean;
  /** Whether standard output is redirected. */
  stdout?: boolean;
  /** Whether standard error is redirected. */
  stderr?: boolean;
  /** Whether a terminal is allocated. */
  tty?: boolean;
}

/** The options of `portforward` of a Pod. */
export interface PodPortForwardOptions {
  /** The kind of the options. */
  kind: "PodPortForwardOptions";
  /** The core group. */
  apiVersion: "v1";
  /** Absent where the client names them later. */
  ports?: number[];
}

/** The options of `proxy` of a Pod, Service or Node. */
export interface ProxyOptions {
  /** By the kind of the object. */
  kind: "PodProxyOptions" | "ServiceProxyOptions" | "NodeProxyOptions";
  /** The core group. */
  apiVersion: "v1";
  /** The path of the URL behind the proxy. */
  path?: string;
}

/** The eviction of a Pod: the object of the subresource `eviction`. */
export interface AdmittedEviction {
  apiVersion: "policy/v1";
  kind: "Eviction";
  metadata: ReadMeta;
  deleteOptions?: { gracePeriodSeconds?: number; propagationPolicy?: string; dryRun?: string[] };
}

/** The object of subresources that have one of their own. */
export interface SubresourceObjects {
  readonly scale: ObjectOf<typeof Scale>;
  readonly binding: ObjectOf<typeof Binding>;
  readonly token: ObjectOf<typeof TokenRequest>;
  readonly eviction: AdmittedEviction;
  readonly exec: PodStreamOptions;
  readonly attach: PodStreamOptions;
  readonly portforward: PodPortForwardOptions;
  readonly proxy: ProxyOptions;
}

/** The object of a request for a kind (`S` is `""`) or one of its subresources. */
export type AdmittedObject<K extends AnyKind, S extends string> = S extends keyof SubresourceObjects
  ? SubresourceObjects[S]
  : ObjectOf<K>;

/** As {@link AdmittedObject}, as a validator sees it: frozen. */
export type ValidatedObject<K extends AnyKind, S extends string> = DeepReadonly<AdmittedObject<K, S>>;

/** The metadata of an object that is being created or updated: the server sets some of it later, also the name where it generates one. */
export interface DraftMeta extends Omit<ReadMeta, "name" | "uid" | "resourceVersion" | "creationTimestamp"> {
  /** Absent where the server generates it. */
  name?: string;
  /** Absent on create. */
  uid?: string;
  /** Absent on create. */
  resourceVersion?: string;
  /** Absent on create. */
  creationTimestamp?: string;
}

/** The object that a defaulter changes in place. */
export type DraftOf<K extends AnyKind, S extends string> =
  AdmittedObject<K, S> extends infer O ? Omit<O, "metadata"> & { metadata: DraftMeta } : never;
