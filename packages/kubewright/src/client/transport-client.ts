import { isExpired, isNotFound, OperatorError } from "@kubewright/core/errors";
import { formatKey, type ObjectKey } from "@kubewright/core/identity";
import { copyFields, isJsonObject, stringifyJson } from "@kubewright/core/json";
import type { Transport, TransportRequest, TransportResponse, TransportUpgrade } from "@kubewright/core/transport";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { acceptMany, acceptOne, acceptTable, applyHeaders, jsonHeaders, writeHeaders } from "./accept.js";
import { asObject, asPage, isAboutObject, isGone, metadataOf } from "./answer.js";
import { apiVersionOf } from "./api-version.js";
import type { Client } from "./client.js";
import type {
  ApplyOptions,
  CallOptions,
  ClientOptions,
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
import { type Discovered, discover } from "./discovery.js";
import {
  type AttachOptions,
  attach,
  attachUpgrade,
  type ExecOptions,
  type ExecResult,
  exec,
  execUpgrade,
  type PodKind,
} from "./exec.js";
import { KindDirectory } from "./kind-directory.js";
import type { KindName } from "./kind-name.js";
import { type NameOf, resolveName } from "./object-name.js";
import type { ObjectPatch } from "./object-patch.js";
import { listenForPod, type PortForward, type PortForwardOptions, portForwardProtocols } from "./port-forward.js";
import { type RawRequest, type RawResponse, transportRequest } from "./raw-request.js";
import type { Intent } from "./request-failure.js";
import { compact, deleteBody, describe, patchBody, selectors, writeQuery } from "./request-parts.js";
import { Requester } from "./requester.js";
import { collectionPath, objectPath } from "./resource-path.js";
import { asServerVersion, type Health, type HealthOptions, healthRequest, type ServerVersion } from "./server-facts.js";
import type { Subresource } from "./subresource.js";
import { evictedKind, Scale } from "./subresource-kinds.js";
import { asTable, type Table, type TableOptions } from "./table.js";
import { untilAborted } from "./until-aborted.js";
import { type ServerWatchEvent, watchEvents } from "./watch-stream.js";

/** What a write is addressed to: an object, or a subresource of it that may speak another kind. */
interface Target<B extends AnyKind> {
  readonly kind: AnyKind;
  readonly key: ObjectKey;
  readonly subresource?: string | undefined;
  readonly speaks: B;
}

/** A write before its options are in it. */
interface WriteRequest {
  readonly method: "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a call does to its target. Formatted only when a call fails, which is rare. */
class TargetIntent implements Intent {
  readonly #verb: string;
  readonly #target: Target<AnyKind>;

  constructor(verb: string, target: Target<AnyKind>) {
    this.#verb = verb;
    this.#target = target;
  }

  get verb(): string {
    const { subresource } = this.#target;
    return subresource === undefined ? this.#verb : `${this.#verb} the ${subresource} of`;
  }

  get object(): string {
    return describe(this.#target.kind, formatKey(this.#target.key));
  }
}

/**
 * A client that sends its requests through `transport`. Sends nothing by itself; the caller closes the transport.
 *
 * @example
 * await using cluster = await startCluster();
 * const client = createClient(cluster.transport, { namespace: "shop" });
 * await client.create(ConfigMap, { metadata: { name: "settings" }, data: { mode: "fast" } });
 */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  return new TransportClient(transport, options);
}

class TransportClient implements Client {
  readonly namespace: string;
  readonly #requester: Requester;
  readonly #directory: KindDirectory;
  readonly #fieldManager: string | undefined;
  readonly #fieldValidation: WriteOptions["fieldValidation"];

  constructor(transport: Transport, options: ClientOptions) {
    this.namespace = options.namespace ?? "default";
    // A kind that turns out not to be served makes the directory of kinds doubtful.
    this.#requester = new Requester(transport, options, () => this.#directory.forget());
    this.#fieldManager = options.fieldManager;
    this.#fieldValidation = options.fieldValidation;
    this.#directory = new KindDirectory(() =>
      discover(async (path, headers) => {
        const intent = { verb: "discover", object: `"${path}"` };
        return (await this.#requester.send({ method: "GET", path, headers }, {}, intent)).body;
      }),
    );
  }

  async get<K extends AnyKind>(kind: K, name: NameOf<K>, options: ReadOptions = {}): Promise<ReadOf<K>> {
    return asObject(kind, await this.#get(this.#target(kind, name), options));
  }

  async find<K extends AnyKind>(kind: K, name: NameOf<K>, options?: ReadOptions): Promise<ReadOf<K> | undefined> {
    try {
      return await this.get(kind, name, options);
    } catch (error) {
      if (isNotFound(error) && isAboutObject(error.status.details)) return undefined;
      throw error;
    }
  }

  async *list<K extends AnyKind>(
    kind: K,
    { pageSize = 500, consistent = false, resourceVersion, resourceVersionMatch, ...options }: ListOptions = {},
  ): AsyncIterable<ReadOf<K>> {
    const first = compact({ resourceVersion, resourceVersionMatch }) as Pick<ListOptions, "resourceVersion">;
    let page = await this.listPage(kind, { ...options, ...first, limit: pageSize });
    for (;;) {
      for (const item of page.items) yield item;
      if (page.continue === undefined) return;
      page = await this.#nextPage(kind, { ...options, limit: pageSize, continue: page.continue }, consistent);
    }
  }

  async #nextPage<K extends AnyKind>(kind: K, options: ListPageOptions, consistent: boolean): Promise<ListPage<K>> {
    try {
      return await this.listPage(kind, options);
    } catch (error) {
      if (consistent || !isExpired(error)) throw error;
      // The resourceVersion of the first page was compacted; the server returns a token for an inconsistent list.
      const fresh = error.status.metadata?.continue ?? "";
      if (fresh === "") throw error;
      return this.listPage(kind, { ...options, continue: fresh });
    }
  }

  async listPage<K extends AnyKind>(kind: K, options: ListPageOptions = {}): Promise<ListPage<K>> {
    const withoutManagedFields = options.managedFields !== true;
    const request = { ...this.#listRequest(kind, options), headers: acceptMany(kind), withoutManagedFields };
    const { body } = await this.#requester.send(request, options, { verb: "list", object: `${kind.kind} objects` });
    return asPage(kind, body, withoutManagedFields);
  }

  async table<K extends AnyKind>(kind: K, options: TableOptions<K> = {}): Promise<Table> {
    const { name, includeObject } = options;
    const key = name === undefined ? undefined : resolveName(kind, name, this.namespace);
    const request = key === undefined ? this.#listRequest(kind, options) : { path: objectPath(kind, key), query: {} };
    const query = compact({ ...request.query, includeObject });
    const object = key === undefined ? `${kind.kind} objects` : describe(kind, formatKey(key));
    const intent = { verb: "read", object: `${object} as a table` };
    const asked = { method: "GET", path: request.path, query, headers: acceptTable } as const;
    return asTable(kind, (await this.#requester.send(asked, options, intent)).body);
  }

  #listRequest(kind: AnyKind, options: ListPageOptions) {
    return {
      method: "GET",
      path: collectionPath(kind, this.#listNamespace(kind, options)),
      query: compact({
        ...selectors(options),
        limit: options.limit?.toString(),
        continue: options.continue,
        resourceVersion: options.resourceVersion,
        resourceVersionMatch: options.resourceVersionMatch,
      }),
    } as const;
  }

  async create<K extends AnyKind>(kind: K, object: NewObject<K>, options: WriteOptions = {}): Promise<ReadOf<K>> {
    const { name, generateName, namespace } = metadataOf(object);
    const key = resolveName(kind, { name: name ?? `${generateName}x`, namespace }, this.namespace);
    const path = collectionPath(kind, key.namespace);
    const body = bodyOf(kind, object, key.namespace);
    const request = { method: "POST", path, headers: writeHeaders(kind, "application/json"), body } as const;
    const named = name === undefined ? { namespace: key.namespace, name: `${generateName}` } : key;
    const intent = new TargetIntent("create", { kind, key: named, speaks: kind });
    return asObject(kind, await this.#write(request, false, options, intent));
  }

  async update<K extends AnyKind>(kind: K, object: WrittenObject<K>, options: WriteOptions = {}): Promise<ReadOf<K>> {
    return asObject(kind, await this.#put(this.#targetOf(kind, object), object, options));
  }

  async updateStatus<K extends AnyKind>(
    kind: K,
    object: StatusObject<K>,
    options: WriteOptions = {},
  ): Promise<ReadOf<K>> {
    return asObject(kind, await this.#put(this.#targetOf(kind, object, "status"), object, options));
  }

  async patch<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    patch: ObjectPatch<NoInfer<K>>,
    options: WriteOptions = {},
  ): Promise<ReadOf<K>> {
    return asObject(kind, await this.#patch(this.#target(kind, name), patch, options));
  }

  async patchStatus<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    patch: ObjectPatch<NoInfer<K>>,
    options: WriteOptions = {},
  ): Promise<ReadOf<K>> {
    return asObject(kind, await this.#patch(this.#target(kind, name, "status"), patch, options));
  }

  async apply<K extends AnyKind>(kind: K, object: WrittenObject<K>, options: ApplyOptions = {}): Promise<ReadOf<K>> {
    return asObject(kind, await this.#apply(this.#targetOf(kind, object), object, options));
  }

  async applyStatus<K extends AnyKind>(
    kind: K,
    object: StatusObject<K>,
    options: ApplyOptions = {},
  ): Promise<ReadOf<K>> {
    return asObject(kind, await this.#apply(this.#targetOf(kind, object, "status"), object, options));
  }

  async delete<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    options: DeleteOptions = {},
  ): Promise<ReadOf<K> | undefined> {
    const target = this.#target(kind, name);
    const { body } = await this.#requester.send(
      { method: "DELETE", path: objectPath(kind, target.key), headers: acceptOne(kind), body: deleteBody(options) },
      options,
      new TargetIntent("delete", target),
    );
    if (!isJsonObject(body) || (body["kind"] !== kind.kind && body["kind"] !== "PartialObjectMetadata"))
      return undefined;
    const object = asObject(kind, { body });
    return metadataOf(object as object).deletionTimestamp !== undefined && !isGone(object) ? object : undefined;
  }

  async deleteAll<K extends AnyKind>(kind: K, options: DeleteAllOptions = {}): Promise<void> {
    const path = collectionPath(kind, this.#listNamespace(kind, options));
    const query = compact(selectors(options));
    const headers = acceptMany(kind);
    const intent = { verb: "delete", object: `${kind.kind} objects` };
    await this.#requester.send({ method: "DELETE", path, query, headers, body: deleteBody(options) }, options, intent);
  }

  async watch<K extends AnyKind>(kind: K, options: WatchOptions = {}): Promise<AsyncIterable<ServerWatchEvent<K>>> {
    const intent = { verb: "watch", object: `${kind.kind} objects` };
    const initial = options.sendInitialEvents === true;
    const withoutManagedFields = options.managedFields !== true;
    const request: TransportRequest = {
      method: "GET",
      path: collectionPath(kind, this.#listNamespace(kind, options)),
      query: compact({
        ...selectors(options),
        watch: "true",
        allowWatchBookmarks: options.allowBookmarks === true || initial ? "true" : undefined,
        resourceVersion: options.resourceVersion,
        timeoutSeconds: options.timeoutSeconds?.toString(),
        sendInitialEvents: initial ? "true" : undefined,
        // The server takes initial events only together with it.
        resourceVersionMatch: initial ? "NotOlderThan" : undefined,
      }),
      headers: acceptOne(kind),
      withoutManagedFields,
    };
    const items = await this.#requester.stream(request, options, intent);
    return watchEvents(kind, items, { signal: options.signal, intent, withoutManagedFields });
  }

  subresource<K extends AnyKind, B extends AnyKind = K>(
    kind: K,
    name: NameOf<K>,
    subresource: string,
    speaks: B = kind as unknown as B,
  ): Subresource<B> {
    const key = resolveName(kind, name, this.namespace);
    if (!/^[a-z][a-z0-9-]*$/.test(subresource)) {
      const described = describe(kind, formatKey(key));
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot address subresource "${subresource}" of ${described}: not a name`,
      );
    }
    const target = { kind, key, subresource, speaks };
    return {
      get: async (options = {}) => asObject(speaks, await this.#get(target, options)),
      create: async (body, options = {}) => asObject(speaks, await this.#post(target, body, options)),
      update: async (body, options = {}) => asObject(speaks, await this.#put(target, named(body, key), options)),
      patch: async (patch, options = {}) => asObject(speaks, await this.#patch(target, patch, options)),
      apply: async (body, options = {}) => asObject(speaks, await this.#apply(target, named(body, key), options)),
    };
  }

  async getScale<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    options: ReadOptions = {},
  ): Promise<ReadOf<typeof Scale>> {
    return this.subresource(kind, name, "scale", Scale).get(options);
  }

  async scale<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    replicas: number,
    { resourceVersion, ...options }: ScaleOptions = {},
  ): Promise<ReadOf<typeof Scale>> {
    const metadata = resourceVersion === undefined ? {} : { metadata: { resourceVersion } };
    const patch = { merge: { ...metadata, spec: { replicas } } };
    return this.subresource(kind, name, "scale", Scale).patch(patch, options);
  }

  async evict(pod: NameOf<typeof evictedKind>, options: DeleteOptions = {}): Promise<void> {
    const key = resolveName(evictedKind, pod, this.namespace);
    const body = {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: key.name, namespace: key.namespace },
      deleteOptions: deleteBody(options),
    };
    const path = objectPath(evictedKind, key, "eviction");
    await this.#requester.send({ method: "POST", path, headers: jsonHeaders, body }, options, {
      verb: "evict",
      object: describe(evictedKind, formatKey(key)),
    });
  }

  async logs<K extends PodKind>(kind: K, name: NameOf<K>, options: LogOptions & CallOptions = {}): Promise<string> {
    const target = this.#target(kind, name, "log");
    const request = { method: "GET", path: objectPath(kind, target.key, "log"), query: logQuery(options) } as const;
    const { body } = await this.#requester.send(request, options, new TargetIntent("get", target));
    return typeof body === "string" ? body : stringifyJson(body);
  }

  async *followLogs<K extends PodKind>(
    kind: K,
    name: NameOf<K>,
    options: Omit<LogOptions, "limitBytes"> & CallOptions = {},
  ): AsyncIterable<string> {
    const target = this.#target(kind, name, "log");
    const query = { ...logQuery(options), follow: "true" };
    const request = { method: "GET", path: objectPath(kind, target.key, "log"), query, isText: true } as const;
    const intent = new TargetIntent("follow", target);
    let rest = "";
    for await (const chunk of await this.#requester.stream(request, options, intent)) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  }

  async attach<K extends PodKind>(kind: K, name: NameOf<K>, options: AttachOptions = {}): Promise<void> {
    const key = resolveName(kind, name, this.namespace);
    const intent = { verb: "attach to", object: describe(kind, formatKey(key)) };
    const request = { path: objectPath(kind, key, "attach"), ...attachUpgrade(options) };
    return this.#requester.upgraded(request, options, intent, (socket) => attach(socket, options, intent));
  }

  async portForward<K extends PodKind>(kind: K, name: NameOf<K>, options: PortForwardOptions): Promise<PortForward> {
    const key = resolveName(kind, name, this.namespace);
    const intent = { verb: `forward port ${options.port} to`, object: describe(kind, formatKey(key)) };
    const request: TransportUpgrade = {
      path: objectPath(kind, key, "portforward"),
      query: [["ports", String(options.port)]],
      protocols: portForwardProtocols,
    };
    return listenForPod((use, signal) => this.#requester.upgraded(request, { signal }, intent, use), options, intent);
  }

  async exec<K extends PodKind>(kind: K, name: NameOf<K>, options: ExecOptions): Promise<ExecResult> {
    const key = resolveName(kind, name, this.namespace);
    const intent = { verb: `run "${options.command[0]}" in`, object: describe(kind, formatKey(key)) };
    const request = { path: objectPath(kind, key, "exec"), ...execUpgrade(options, intent) };
    return this.#requester.upgraded(request, options, intent, (socket) => exec(socket, options, intent));
  }

  async kind(name: KindName, { signal }: Pick<CallOptions, "signal"> = {}): Promise<DiscoveredKind> {
    return untilAborted(this.#directory.find(name), signal);
  }

  async kinds({ signal }: Pick<CallOptions, "signal"> = {}): Promise<Discovered> {
    return untilAborted(this.#directory.all(), signal);
  }

  async request(request: RawRequest): Promise<RawResponse> {
    const intent = { verb: request.method, object: `"${request.path}"` };
    return this.#requester.send(transportRequest(request), request, intent);
  }

  async version(options: CallOptions = {}): Promise<ServerVersion> {
    const intent = { verb: "get", object: "the server's version" };
    return asServerVersion((await this.#requester.send({ method: "GET", path: "/version" }, options, intent)).body);
  }

  async health(options: HealthOptions = {}): Promise<Health> {
    const intent = { verb: "get", object: "the server's health" };
    const { status, body } = await this.#requester.ask(healthRequest(options), options, intent);
    return { healthy: status === 200, status, report: typeof body === "string" ? body : stringifyJson(body) };
  }

  #get(target: Target<AnyKind>, options: ReadOptions): Promise<TransportResponse> {
    const { kind, key, subresource, speaks } = target;
    const { resourceVersion } = options;
    const request: TransportRequest = {
      method: "GET",
      path: objectPath(kind, key, subresource),
      query: resourceVersion === undefined ? {} : { resourceVersion },
      headers: acceptOne(speaks),
    };
    return this.#requester.send(request, options, new TargetIntent("get", target));
  }

  #post(target: Target<AnyKind>, object: object, options: WriteOptions): Promise<TransportResponse> {
    const { kind, key, subresource, speaks } = target;
    const body = bodyOf(speaks, named(object, key), key.namespace);
    const request = { method: "POST", path: objectPath(kind, key, subresource), headers: jsonHeaders, body } as const;
    return this.#write(request, false, options, new TargetIntent("create", target));
  }

  #put(target: Target<AnyKind>, object: object, options: WriteOptions): Promise<TransportResponse> {
    const { kind, key, subresource, speaks } = target;
    const body = bodyOf(speaks, object, key.namespace);
    const request = { method: "PUT", path: objectPath(kind, key, subresource), headers: jsonHeaders, body } as const;
    return this.#write(request, false, options, new TargetIntent("update", target));
  }

  #patch(target: Target<AnyKind>, patch: ObjectPatch, options: WriteOptions): Promise<TransportResponse> {
    const { kind, key, subresource, speaks } = target;
    const { type, body } = patchBody(kind, key, patch);
    const path = objectPath(kind, key, subresource);
    const request = { method: "PATCH", path, headers: writeHeaders(speaks, type), body } as const;
    return this.#write(request, false, options, new TargetIntent("patch", target));
  }

  #apply(target: Target<AnyKind>, object: object, options: ApplyOptions): Promise<TransportResponse> {
    const { kind, key, subresource, speaks } = target;
    if ((options.fieldManager ?? this.#fieldManager) === undefined) {
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot apply ${describe(kind, formatKey(key))}: a field manager is needed, give "fieldManager"`,
      );
    }
    const body = bodyOf(speaks, object, key.namespace);
    const request = { method: "PATCH", path: objectPath(kind, key, subresource), headers: applyHeaders, body } as const;
    return this.#write(request, options.force === true, options, new TargetIntent("apply", target));
  }

  /** `force`: whether an apply takes fields over. */
  #write(
    { method, path, headers, body }: WriteRequest,
    force: boolean,
    options: WriteOptions,
    intent: Intent,
  ): Promise<TransportResponse> {
    const query = writeQuery(force, options, this.#fieldManager, this.#fieldValidation);
    return this.#requester.send({ method, path, headers, query, body }, options, intent);
  }

  #target<K extends AnyKind>(kind: K, name: NameOf<K>, subresource?: string): Target<K> {
    return { kind, key: resolveName(kind, name, this.namespace), subresource, speaks: kind };
  }

  #targetOf<K extends AnyKind>(kind: K, object: object, subresource?: string): Target<K> {
    const { name = "", namespace } = metadataOf(object);
    return { kind, key: resolveName(kind, { name, namespace }, this.namespace), subresource, speaks: kind };
  }

  #listNamespace(kind: AnyKind, options: { readonly namespace?: string; readonly allNamespaces?: boolean }): string {
    if (kind.scope === "Cluster" || options.allNamespaces === true) return "";
    return resolveName(kind, { name: "any", namespace: options.namespace ?? this.namespace }, this.namespace).namespace;
  }
}

/** A body with the name that it is sent to: servers reject another one. The very one where it has it. */
function logQuery({ signal: _, timeout: __, ...asked }: LogOptions & CallOptions): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [option, value] of Object.entries(asked)) if (value !== undefined) query[option] = String(value);
  return query;
}

function named(body: object, { name }: ObjectKey): object {
  if (metadataOf(body).name === name) return body;
  return { ...body, metadata: { ...metadataOf(body), name } };
}

/** The object with its type and its namespace; the very one where it has them. */
function bodyOf(kind: AnyKind, object: object, namespace: string): object {
  const metadata = metadataOf(object);
  const apiVersion = apiVersionOf(kind);
  const isInPlace = namespace === "" || metadata.namespace === namespace;
  const given = object as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (isInPlace && given.apiVersion === apiVersion && given.kind === kind.kind) return object;
  const body = copyFields<unknown>(object as Readonly<Record<string, unknown>>);
  body["apiVersion"] = apiVersion;
  body["kind"] = kind.kind;
  body["metadata"] = isInPlace ? metadata : { ...metadata, namespace };
  return body;
}
