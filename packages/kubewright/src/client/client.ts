import { isNotFound, OperatorError } from "@kubewright/core/errors";
import { formatApiVersion, formatKey } from "@kubewright/core/identity";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport, TransportRequest } from "@kubewright/core/transport";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { asObject, asPage, isAboutObject, isGone, metadataOf } from "./answer.js";
import type {
  ApplyOptions,
  ClientOptions,
  DeleteAllOptions,
  DeleteOptions,
  ListOptions,
  ListPage,
  ListPageOptions,
  NewObject,
  ObjectPatch,
  ReadOptions,
  StatusObject,
  WatchOptions,
  WriteOptions,
  WrittenObject,
} from "./client-options.js";
import { type NameOf, resolveName } from "./object-name.js";
import { compact, deleteBody, describe, patchBody, selectors } from "./request-parts.js";
import { collectionPath, objectPath } from "./resource-path.js";
import { type Intent, refused, send, unanswered } from "./send.js";
import { type ServerWatchEvent, watchEvents } from "./watch-stream.js";

/**
 * Reads and writes objects of any kind, typed by the kind's value.
 *
 * Each call is one request (`list`: one per page). What comes back is frozen. A failure is thrown as an `ApiError`
 * that names the object and carries the server's words; when there is no answer, as an `OperatorError`; on abort, the
 * signal's reason. Nothing is retried here: whoever asks knows whether asking again is right.
 */
export interface Client {
  /** The namespace of objects that are named without one. */
  readonly namespace: string;
  /** The object; throws when it is missing. */
  get<K extends AnyKind>(kind: K, name: NameOf<K>, options?: ReadOptions): Promise<ReadOf<K>>;
  /** The object, or undefined when it is missing. */
  find<K extends AnyKind>(kind: K, name: NameOf<K>, options?: ReadOptions): Promise<ReadOf<K> | undefined>;
  /** Every object that matches, page by page. */
  list<K extends AnyKind>(kind: K, options?: ListOptions): AsyncIterable<ReadOf<K>>;
  /** One page of a list, with its version. */
  listPage<K extends AnyKind>(kind: K, options?: ListPageOptions): Promise<ListPage<K>>;
  create<K extends AnyKind>(kind: K, object: NewObject<K>, options?: WriteOptions): Promise<ReadOf<K>>;
  /** Replaces the whole object. */
  update<K extends AnyKind>(kind: K, object: WrittenObject<K>, options?: WriteOptions): Promise<ReadOf<K>>;
  patch<K extends AnyKind>(kind: K, name: NameOf<K>, patch: ObjectPatch, options?: WriteOptions): Promise<ReadOf<K>>;
  /** Server-side apply: the fields given become the field manager's. Creates the object when it is missing. */
  apply<K extends AnyKind>(kind: K, object: WrittenObject<K>, options?: ApplyOptions): Promise<ReadOf<K>>;
  /** Gives the object while it still waits for finalizers or its grace period; undefined when it is gone. */
  delete<K extends AnyKind>(kind: K, name: NameOf<K>, options?: DeleteOptions): Promise<ReadOf<K> | undefined>;
  /** Deletes every object that matches, by one request. */
  deleteAll<K extends AnyKind>(kind: K, options?: DeleteAllOptions): Promise<void>;
  updateStatus<K extends AnyKind>(kind: K, object: StatusObject<K>, options?: WriteOptions): Promise<ReadOf<K>>;
  patchStatus<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    patch: ObjectPatch,
    options?: WriteOptions,
  ): Promise<ReadOf<K>>;
  applyStatus<K extends AnyKind>(kind: K, object: StatusObject<K>, options?: ApplyOptions): Promise<ReadOf<K>>;
  /** Opens a watch. Resolves once the server accepted it; the stream ends when the server or the signal ends it. */
  watch<K extends AnyKind>(kind: K, options?: WatchOptions): Promise<AsyncIterable<ServerWatchEvent<K>>>;
}

/** Makes a client that speaks through `transport`. Sends nothing by itself; closing the transport stays with the caller. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  return new TransportClient(transport, options);
}

class TransportClient implements Client {
  readonly namespace: string;
  readonly #transport: Transport;
  readonly #fieldManager: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #onWarning: ((warning: string) => void) | undefined;

  constructor(
    transport: Transport,
    { namespace = "default", fieldManager, userAgent = "kubewright", onWarning }: ClientOptions,
  ) {
    this.namespace = namespace;
    this.#transport = transport;
    this.#fieldManager = fieldManager;
    this.#headers = { accept: "application/json", "user-agent": userAgent };
    this.#onWarning = onWarning;
  }

  async get<K extends AnyKind>(kind: K, name: NameOf<K>, options: ReadOptions = {}): Promise<ReadOf<K>> {
    const key = resolveName(kind, name, this.namespace);
    const query = compact({ resourceVersion: options.resourceVersion });
    const body = await this.#send({ method: "GET", path: objectPath(kind, key), query }, options.signal, {
      verb: "get",
      object: describe(kind, formatKey(key)),
    });
    return asObject(kind, body);
  }

  async find<K extends AnyKind>(kind: K, name: NameOf<K>, options?: ReadOptions): Promise<ReadOf<K> | undefined> {
    try {
      return await this.get(kind, name, options);
    } catch (error) {
      if (isNotFound(error) && isAboutObject(error.status.details)) return undefined;
      throw error;
    }
  }

  async *list<K extends AnyKind>(kind: K, { pageSize = 500, ...options }: ListOptions = {}): AsyncIterable<ReadOf<K>> {
    let from: string | undefined;
    do {
      const page: ListPage<K> = await this.listPage(kind, {
        ...options,
        limit: pageSize,
        ...(from === undefined ? {} : { continue: from }),
      });
      yield* page.items;
      from = page.continue;
    } while (from !== undefined);
  }

  async listPage<K extends AnyKind>(kind: K, options: ListPageOptions = {}): Promise<ListPage<K>> {
    const intent = { verb: "list", object: `${kind.kind} objects` };
    const query = compact({
      ...selectors(options),
      limit: options.limit?.toString(),
      continue: options.continue,
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
    });
    const path = collectionPath(kind, this.#listNamespace(kind, options));
    return asPage(
      kind,
      await this.#send({ method: "GET", path, query }, options.signal, intent),
      options.frozen ?? true,
    );
  }

  async create<K extends AnyKind>(kind: K, object: NewObject<K>, options: WriteOptions = {}): Promise<ReadOf<K>> {
    const { name, generateName, namespace } = metadataOf(object);
    const key = resolveName(
      kind,
      { name: name ?? `${generateName}x`, ...(namespace === undefined ? {} : { namespace }) },
      this.namespace,
    );
    const request = { method: "POST", path: collectionPath(kind, key.namespace) } as const;
    return this.#write(kind, request, this.#body(kind, object, key.namespace), options, {
      verb: "create",
      object: describe(kind, formatKey({ ...key, name: name ?? `${generateName}` })),
    });
  }

  async update<K extends AnyKind>(kind: K, object: WrittenObject<K>, options: WriteOptions = {}): Promise<ReadOf<K>> {
    return this.#put(kind, object, undefined, options);
  }

  async updateStatus<K extends AnyKind>(
    kind: K,
    object: StatusObject<K>,
    options: WriteOptions = {},
  ): Promise<ReadOf<K>> {
    return this.#put(kind, object, "status", options);
  }

  async patch<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    patch: ObjectPatch,
    options: WriteOptions = {},
  ): Promise<ReadOf<K>> {
    return this.#patch(kind, name, undefined, patch, options);
  }

  async patchStatus<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    patch: ObjectPatch,
    options: WriteOptions = {},
  ): Promise<ReadOf<K>> {
    return this.#patch(kind, name, "status", patch, options);
  }

  async apply<K extends AnyKind>(kind: K, object: WrittenObject<K>, options: ApplyOptions = {}): Promise<ReadOf<K>> {
    return this.#apply(kind, object, undefined, options);
  }

  async applyStatus<K extends AnyKind>(
    kind: K,
    object: StatusObject<K>,
    options: ApplyOptions = {},
  ): Promise<ReadOf<K>> {
    return this.#apply(kind, object, "status", options);
  }

  async delete<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    options: DeleteOptions = {},
  ): Promise<ReadOf<K> | undefined> {
    const key = resolveName(kind, name, this.namespace);
    const body = await this.#send(
      { method: "DELETE", path: objectPath(kind, key), body: deleteBody(options) },
      options.signal,
      { verb: "delete", object: describe(kind, formatKey(key)) },
    );
    if (!isJsonObject(body) || body["kind"] !== kind.kind) return undefined;
    const object = asObject(kind, body);
    return metadataOf(object as object).deletionTimestamp !== undefined && !isGone(object) ? object : undefined;
  }

  async deleteAll<K extends AnyKind>(kind: K, options: DeleteAllOptions = {}): Promise<void> {
    const path = collectionPath(kind, this.#listNamespace(kind, options));
    await this.#send(
      { method: "DELETE", path, query: compact(selectors(options)), body: deleteBody(options) },
      options.signal,
      {
        verb: "delete",
        object: `${kind.kind} objects`,
      },
    );
  }

  async watch<K extends AnyKind>(kind: K, options: WatchOptions = {}): Promise<AsyncIterable<ServerWatchEvent<K>>> {
    const intent = { verb: "watch", object: `${kind.kind} objects` };
    const request: TransportRequest = {
      method: "GET",
      path: collectionPath(kind, this.#listNamespace(kind, options)),
      query: compact({
        ...selectors(options),
        watch: "true",
        allowWatchBookmarks: options.allowBookmarks === true ? "true" : undefined,
        resourceVersion: options.resourceVersion,
        timeoutSeconds: options.timeoutSeconds?.toString(),
      }),
      headers: this.#headers,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    const stream = await this.#transport.stream(request).catch((error: unknown) => {
      throw unanswered(error, options.signal, intent);
    });
    if (stream.kind === "answer") throw refused(stream.response, intent);
    return watchEvents(kind, stream.items, options.signal, intent);
  }

  #put<K extends AnyKind>(
    kind: K,
    object: object,
    subresource: string | undefined,
    options: WriteOptions,
  ): Promise<ReadOf<K>> {
    const key = this.#keyOf(kind, object);
    const request = { method: "PUT", path: objectPath(kind, key, subresource) } as const;
    const intent = {
      verb: subresource === undefined ? "update" : `update the ${subresource} of`,
      object: describe(kind, formatKey(key)),
    };
    return this.#write(kind, request, this.#body(kind, object, key.namespace), options, intent);
  }

  async #patch<K extends AnyKind>(
    kind: K,
    name: NameOf<K>,
    subresource: string | undefined,
    patch: ObjectPatch,
    options: WriteOptions,
  ): Promise<ReadOf<K>> {
    const key = resolveName(kind, name, this.namespace);
    const { type, body } = patchBody(kind, formatKey(key), patch);
    const request = {
      method: "PATCH",
      path: objectPath(kind, key, subresource),
      headers: { "content-type": type },
    } as const;
    const intent = {
      verb: subresource === undefined ? "patch" : `patch the ${subresource} of`,
      object: describe(kind, formatKey(key)),
    };
    return this.#write(kind, request, body, options, intent);
  }

  #apply<K extends AnyKind>(
    kind: K,
    object: object,
    subresource: string | undefined,
    options: ApplyOptions,
  ): Promise<ReadOf<K>> {
    const key = this.#keyOf(kind, object);
    const described = describe(kind, formatKey(key));
    if ((options.fieldManager ?? this.#fieldManager) === undefined) {
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot apply ${described}: a field manager is needed, give "fieldManager"`,
      );
    }
    const request = {
      method: "PATCH",
      path: objectPath(kind, key, subresource),
      headers: { "content-type": "application/apply-patch+yaml" },
      query: compact({ force: options.force === true ? "true" : undefined }),
    } as const;
    const intent = { verb: subresource === undefined ? "apply" : `apply the ${subresource} of`, object: described };
    return this.#write(kind, request, this.#body(kind, object, key.namespace), options, intent);
  }

  async #write<K extends AnyKind>(
    kind: K,
    request: Pick<TransportRequest, "method" | "path" | "headers" | "query">,
    body: unknown,
    options: WriteOptions,
    intent: Intent,
  ): Promise<ReadOf<K>> {
    const query = compact({
      ...request.query,
      fieldManager: options.fieldManager ?? this.#fieldManager,
      dryRun: options.dryRun === true ? "All" : undefined,
      fieldValidation: options.fieldValidation,
    });
    const headers = { "content-type": "application/json", ...request.headers };
    return asObject(kind, await this.#send({ ...request, headers, query, body }, options.signal, intent));
  }

  async #send(request: TransportRequest, signal: AbortSignal | undefined, intent: Intent): Promise<unknown> {
    const complete = {
      ...request,
      headers: { ...this.#headers, ...request.headers },
      ...(signal === undefined ? {} : { signal }),
    };
    signal?.throwIfAborted();
    const response = await send(this.#transport, complete, intent);
    const warning = response.headers["warning"];
    if (warning !== undefined) this.#onWarning?.(warning);
    return response.body;
  }

  #keyOf(kind: AnyKind, object: object) {
    const { name, namespace } = metadataOf(object);
    return resolveName(kind, { name: name ?? "", ...(namespace === undefined ? {} : { namespace }) }, this.namespace);
  }

  #body(kind: AnyKind, object: object, namespace: string): object {
    const metadata = "metadata" in object && typeof object.metadata === "object" ? object.metadata : {};
    return {
      ...object,
      apiVersion: formatApiVersion(kind.group, kind.version),
      kind: kind.kind,
      metadata: namespace === "" ? metadata : { ...metadata, namespace },
    };
  }

  #listNamespace(kind: AnyKind, options: { readonly namespace?: string; readonly allNamespaces?: boolean }): string {
    if (kind.scope === "Cluster" || options.allNamespaces === true) return "";
    return resolveName(kind, { name: "any", namespace: options.namespace ?? this.namespace }, this.namespace).namespace;
  }
}
