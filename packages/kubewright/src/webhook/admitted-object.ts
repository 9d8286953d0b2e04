import type { DeepReadonly } from "@kubewright/core/json";
import type { Binding, Scale, TokenRequest } from "../client/index.js";
import type { AnyKind, ObjectOf, ReadMeta } from "../definition/index.js";

/** The options of `exec` and `attach` of a Pod. */
export interface PodStreamOptions {
  kind: "PodExecOptions" | "PodAttachOptions";
  apiVersion: "v1";
  container?: string;
  /** Of `exec`. */
  command?: string[];
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
}

/** The options of `portforward` of a Pod. */
export interface PodPortForwardOptions {
  kind: "PodPortForwardOptions";
  apiVersion: "v1";
  ports?: number[];
}

/** The options of `proxy` of a Pod, Service or Node. */
export interface ProxyOptions {
  kind: "PodProxyOptions" | "ServiceProxyOptions" | "NodeProxyOptions";
  apiVersion: "v1";
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
interface SubresourceObjects {
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

/** What the server sets after mutating webhooks; the name is absent where it generates one. */
type SetLater = "name" | "uid" | "resourceVersion" | "creationTimestamp";

/** The metadata of an object that is being created or updated. */
export type DraftMeta = Omit<ReadMeta, SetLater> & Partial<Pick<ReadMeta, SetLater>>;

/** The object that a defaulter changes in place. */
export type DraftOf<K extends AnyKind, S extends string> =
  AdmittedObject<K, S> extends infer O ? Omit<O, "metadata"> & { metadata: DraftMeta } : never;
