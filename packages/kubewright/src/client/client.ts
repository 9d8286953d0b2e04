import type { AnyKind, Kind, ReadOf } from "../definition/index.js";
import type {
  ApplyOptions,
  CallOptions,
  DeleteAllOptions,
  DeleteOptions,
  ListOptions,
  ListPage,
  ListPageOptions,
  LogOptions,
  NewObject,
  ReadOptions,
  ScaleOptions,
  StatusObject,
  WatchOptions,
  WriteOptions,
  WrittenObject,
} from "./client-options.js";
import type { DiscoveredKind } from "./discovered-kind.js";
import type { Discovered } from "./discovery.js";
import type { AttachOptions, ExecOptions, ExecResult, PodKind } from "./exec.js";
import type { KindName } from "./kind-name.js";
import type { NameOf } from "./object-name.js";
import type { ObjectPatch } from "./object-patch.js";
import type { PortForward, PortForwardOptions } from "./port-forward.js";
import type { RawRequest, RawResponse } from "./raw-request.js";
import type { Health, HealthOptions, ServerVersion } from "./server-facts.js";
import type { Subresource } from "./subresource.js";
import type { Scale } from "./subresource-kinds.js";
import type { Table, TableOptions } from "./table.js";
import type { ServerWatchEvent } from "./watch-stream.js";

/**
 * Reads and writes objects of any kind, typed by the kind's value.
 *
 * Each call is one request (`list`: one per page). What comes back is readonly by type; freezing is for caches, whose objects are shared. A
 * failure is thrown as an `ApiError`
 * that names the object and carries the server's message; when there is no response, as an `OperatorError`; on abort, the
 * signal's reason. Nothing is retried here: the caller knows whether a retry is safe.
 *
 * Kinds are values: generated ones (`kubewright/k8s/*`), your own (`defineResource`), those found at run time (`kind`), and each of them as
 * `metadataOnly(kind)`.
 */
export interface Client {
  /** The namespace of objects that are named without one. */
  readonly namespace: string;
  /** The object; throws when it is missing. */
  get<K extends AnyKind>(kind: K, name: NameOf<K>, options?: ReadOptions): Promise<ReadOf<K>>;
  /** The object, or undefined when it is missing. */
  find<K extends AnyKind>(kind: K, name: NameOf<K>, options?: ReadOptions): Promise<ReadOf<K> | undefined>;
  /** Every object that matches, page by page. Where the server forgets the first page's state in between, see `consistent`. */
  list<K extends AnyKind>(kind: K, options?: ListOptions): AsyncIterable<ReadOf<K>>;
  /** One page of a list, with its version. */
  listPage<K extends AnyKind>(kind: K, options?: ListPageOptions): Promise<ListPage<K>>;
  /** Creates an object. Rejects with a conflict (`isAlreadyExists`) when its name is taken. */
  create<K extends AnyKind>(kind: K, object: NewObject<K>, options?: WriteOptions): Promise<ReadOf<K>>;
  /** Replaces the whole object. */
  update<K extends AnyKind>(kind: K, object: WrittenObject<K>, options?: WriteOptions): Promise<ReadOf<K>>;
  /** Patches an object, in one of the three patch formats of Kubernetes. */
  patch<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    patch: ObjectPatch<NoInfer<K>>,
    options?: WriteOptions,
  ): Promise<ReadOf<K>>;
  /** Server-side apply: the fields given become the field manager's. Creates the object when it is missing. */
  apply<K extends AnyKind>(kind: K, object: WrittenObject<K>, options?: ApplyOptions): Promise<ReadOf<K>>;
  /** Returns the object while it waits for finalizers or its grace period; undefined when it is deleted. */
  delete<K extends AnyKind>(kind: K, name: NameOf<K>, options?: DeleteOptions): Promise<ReadOf<K> | undefined>;
  /** Deletes every object that matches, by one request. */
  deleteAll<K extends AnyKind>(kind: K, options?: DeleteAllOptions): Promise<void>;
  /** Replaces the status of an object. */
  updateStatus<K extends AnyKind>(kind: K, object: StatusObject<K>, options?: WriteOptions): Promise<ReadOf<K>>;
  /** Patches the status of an object. */
  patchStatus<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    patch: ObjectPatch<NoInfer<K>>,
    options?: WriteOptions,
  ): Promise<ReadOf<K>>;
  /** Applies the status of an object: server-side apply to the subresource `status`. */
  applyStatus<K extends AnyKind>(kind: K, object: StatusObject<K>, options?: ApplyOptions): Promise<ReadOf<K>>;
  /** Opens a watch. Resolves once the server accepted it; the stream ends when the server closes it or the signal aborts. */
  watch<K extends AnyKind>(kind: K, options?: WatchOptions): Promise<AsyncIterable<ServerWatchEvent<K>>>;
  /** Objects as the server prints them: what `kubectl get` shows. One page of them, or one object. */
  table<K extends AnyKind>(kind: K, options?: TableOptions<K>): Promise<Table>;
  /**
   * Any subresource of an object. Sends nothing by itself.
   *
   * `speaks` is the kind of its request and response bodies, where that is not the object's own.
   *
   * @example
   * const { status } = await client.subresource(ServiceAccount, "builder", "token", TokenRequest).create({ spec: { audiences: ["vault"] } });
   */
  subresource<K extends AnyKind, B extends AnyKind = K>(
    kind: K,
    name: NameOf<K>,
    subresource: string,
    speaks?: B,
  ): Subresource<B>;
  /** Desired and actual replicas, for any kind with the subresource `scale`. */
  getScale<K extends AnyKind>(kind: K, name: NameOf<K>, options?: ReadOptions): Promise<ReadOf<typeof Scale>>;
  /** Sets the desired replicas. With `resourceVersion` it fails when the object changed since it was read. */
  scale<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    replicas: number,
    options?: ScaleOptions,
  ): Promise<ReadOf<typeof Scale>>;
  /**
   * Deletes a Pod if its disruption budgets allow it.
   *
   * Else it throws (`isTooManyRequests`), and `causeOf(error, "DisruptionBudget")` names the PodDisruptionBudget.
   */
  evict(pod: NameOf<Kind<string, "Namespaced">>, options?: DeleteOptions): Promise<void>;
  /** The log of a container, up to now. */
  logs<K extends PodKind>(kind: K, name: NameOf<K>, options?: LogOptions & CallOptions): Promise<string>;
  /**
   * The lines of a container's log, from its beginning and as they are written, until the container ends or the signal is aborted. Throws when the
   * connection is lost.
   *
   * @example
   * for await (const line of client.followLogs(Pod, "web-0", { tailLines: 10 })) console.log(line);
   */
  followLogs<K extends PodKind>(
    kind: K,
    name: NameOf<K>,
    options?: Omit<LogOptions, "limitBytes"> & CallOptions,
  ): AsyncIterable<string>;
  /**
   * Attaches to the main process of a container, whose output from now on goes to `onOutput`. Resolves when it ends, or the server closes the connection;
   * an abort of the signal detaches.
   */
  attach<K extends PodKind>(kind: K, name: NameOf<K>, options?: AttachOptions): Promise<void>;
  /**
   * Listens on a port of 127.0.0.1, whose connections lead to a port of the Pod, until it is closed.
   *
   * @example
   * await using forward = await client.portForward(Pod, "web-0", { port: 8080 });
   * const response = await fetch(`http://127.0.0.1:${forward.port}/`);
   */
  portForward<K extends PodKind>(kind: K, name: NameOf<K>, options: PortForwardOptions): Promise<PortForward>;
  /**
   * Runs a command in a container, to its end. A command that fails does not reject: check its `exitCode`.
   *
   * Throws the server's error where the command could not be started (no such Pod or container, not running, forbidden), and EXEC_FAILED without an exit
   * status or for too much output. After an abort, a timeout and a lost connection the command may still run: run what is safe to repeat.
   *
   * @example
   * const { exitCode } = await client.exec(Pod, "db-0", { container: "postgres", command: ["pg_isready"] });
   */
  exec<K extends PodKind>(kind: K, name: NameOf<K>, options: ExecOptions): Promise<ExecResult>;
  /**
   * A kind by its name at run time, as a handle for every call here: `"deploy"`, `"deployments.apps"`, `"apps/v1/Deployment"`.
   *
   * Discovery is cached; an unknown name refreshes it. Throws when there is no such
   * kind (`isNotFound`) or when several groups have it (CONFIG_INVALID); both errors name candidates.
   */
  kind(name: KindName, options?: Pick<CallOptions, "signal">): Promise<DiscoveredKind>;
  /** Every kind that the server serves now, in each version, preferred versions first; and which groups did not respond. */
  kinds(options?: Pick<CallOptions, "signal">): Promise<Discovered>;
  /** Any request, with the client's headers and errors. Returns the response unchanged. */
  request(request: RawRequest): Promise<RawResponse>;
  /** The version of the server. */
  version(options?: CallOptions): Promise<ServerVersion>;
  /** Whether the server is ready (with `livez`: live). Throws only when there is no response. */
  health(options?: HealthOptions): Promise<Health>;
}
