import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "@kubewright/core/transport";
import { metadataOf } from "./metadata-of.js";
import { type ObjectPath, objectId, parseObjectPath } from "./object-path.js";
import { PlannedChanges } from "./planned-changes.js";
import { PlannedObjects } from "./planned-objects.js";
import { PlannedWatches } from "./planned-watches.js";

/** They ask, and store nothing. */
const reviewGroups: ReadonlySet<string> = new Set(["authorization.k8s.io", "authentication.k8s.io"]);
/** How often an object is read again because another client changed it between read and dry run. */
const maxReads = 3;

/**
 * Sends every write as a server-side dry run, and lets the operator see its result: later reads and watches show the objects as they would be.
 *
 * Guarantees that the cluster stores nothing: a write that is not a dry run never leaves it. Events are dropped.
 */
export class DryRunTransport implements Transport {
  /** What would change. */
  readonly changes = new PlannedChanges();
  readonly #inner: Transport;
  readonly #objects = new PlannedObjects();
  readonly #watches = new PlannedWatches(this.#objects);

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  get host(): string {
    return this.#inner.host ?? "";
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const path = parseObjectPath(request.path);
    if (request.method === "GET") return path === undefined ? this.#inner.send(request) : this.#read(path, request);
    if (path === undefined) return rejected(`${request.method} ${request.path} has no dry run`);
    if (reviewGroups.has(path.group)) return this.#inner.send(request);
    if (path.resource === "events" && (path.group === "" || path.group === "events.k8s.io"))
      return response(request.method === "POST" ? 201 : 200, request.body);
    return this.#write(path, request);
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const opened = await this.#inner.stream(request);
    const path = parseObjectPath(request.path);
    if (opened.kind !== "stream" || path === undefined) return opened;
    return { ...opened, items: this.#watches.merged(path, request, opened.items) };
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #read(path: ObjectPath, request: TransportRequest): Promise<TransportResponse> {
    const { name, subresource } = path;
    if (name === undefined || subresource !== undefined) return this.#inner.send(request);
    const id = objectId(path, name);
    if (!this.#objects.has(id)) return this.#inner.send(request);
    const planned = this.#objects.get(id);
    return planned === undefined ? notFound(path, name) : response(200, planned);
  }

  async #write(path: ObjectPath, request: TransportRequest): Promise<TransportResponse> {
    const { name = nameIn(request.body), subresource } = path;
    const id = name === undefined ? undefined : objectId(path, name);
    const known = id === undefined ? undefined : this.#objects.get(id);
    if (id !== undefined && this.#objects.has(id) && known === undefined && request.method !== "POST")
      if (!isApply(request)) return notFound(path, name ?? "");
    if (name === undefined && request.method === "DELETE") return this.#deleteCollection(request);
    let before = name === undefined ? undefined : await this.#live(path, name, request);
    if (before === undefined && known !== undefined && id !== undefined)
      return this.#writePlanned({ path, id, known, request });
    let answer = await this.#dryRun(request);
    if (isJsonObject(request.body) && before === undefined && isMissingNamespace(answer))
      answer = response(201, inPlannedNamespace(request.body, path));
    if (answer.status >= 300 || !isJsonObject(answer.body)) return answer;
    if (request.method === "DELETE") {
      if (id !== undefined && before !== undefined) this.#deleted({ path, id, object: known ?? before });
      return answer;
    }
    if (subresource !== undefined && subresource !== "status") {
      if (id !== undefined && before !== undefined) this.changes.called(id, before, subresource);
      return answer;
    }
    for (let reads = 1; reads < maxReads && name !== undefined && isOutdated(before, answer.body); reads++) {
      before = await this.#live(path, name, request);
      answer = await this.#dryRun(request);
      if (answer.status >= 300 || !isJsonObject(answer.body)) return answer;
    }
    return response(answer.status, this.#wrote(path, before, answer.body as JsonObject));
  }

  async #deleteCollection(request: TransportRequest): Promise<TransportResponse> {
    const { body } = await this.#inner.send({ ...request, method: "GET", body: undefined });
    const answer = await this.#dryRun(request);
    const items = isJsonObject(body) && Array.isArray(body["items"]) ? body["items"].filter(isJsonObject) : [];
    if (answer.status >= 300 || !isJsonObject(body)) return answer;
    const kind = String(body["kind"]).replace(/List$/, "");
    for (const item of items) {
      const { name = "", namespace } = metadataOf(item);
      const path = { ...(parseObjectPath(request.path) as ObjectPath), namespace };
      this.#deleted({
        path,
        id: objectId(path, name),
        object: { ...item, kind, apiVersion: String(body["apiVersion"]) },
      });
    }
    return answer;
  }

  /** A write of an object that only this plan created: the server would not find it. */
  #writePlanned({
    path,
    id,
    known,
    request,
  }: {
    readonly path: ObjectPath;
    readonly id: string;
    readonly known: JsonObject;
    readonly request: TransportRequest;
  }): TransportResponse {
    if (request.method === "DELETE") {
      this.#deleted({ path, id, object: known });
      return response(200, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" });
    }
    if (!isJsonObject(request.body)) return rejected(`a JSON patch of "${id}", which exists in this plan only`);
    const planned = this.#objects.patch(id, known, request.body);
    this.#watches.wrote(path, known, planned);
    return response(200, planned);
  }

  #wrote(path: ObjectPath, before: JsonObject | undefined, after: JsonObject): JsonObject {
    const { name = "" } = metadataOf(after);
    const id = objectId(path, name);
    const known = this.#objects.get(id) ?? before;
    if (before === undefined) this.changes.created(id, after);
    else this.changes.changed(id, before, after);
    const planned = this.#objects.write(id, before, after);
    this.#watches.wrote(path, known, planned);
    return planned;
  }

  #deleted({
    path,
    id,
    object,
  }: {
    readonly path: ObjectPath;
    readonly id: string;
    readonly object: JsonObject;
  }): void {
    this.changes.deleted(id, object);
    this.#objects.delete(id);
    this.#watches.wrote(path, object, undefined);
  }

  /** The object as the cluster has it; undefined if it does not. */
  async #live(path: ObjectPath, name: string, { signal }: TransportRequest): Promise<JsonObject | undefined> {
    const { status, body } = await this.#inner.send({ method: "GET", path: objectId(path, name), signal });
    return status === 200 && isJsonObject(body) ? body : undefined;
  }

  #dryRun(request: TransportRequest): Promise<TransportResponse> {
    return this.#inner.send({
      ...request,
      body: withDryRun(request, this.#objects.withRealVersions(request.body)),
      query: { ...request.query, dryRun: "All" },
    });
  }
}

/** Of a DELETE, the options in the body decide, not the query. */
function withDryRun({ method }: TransportRequest, body: unknown): unknown {
  if (method !== "DELETE") return body;
  return { kind: "DeleteOptions", apiVersion: "v1", ...(isJsonObject(body) ? body : {}), dryRun: ["All"] };
}

function isApply({ headers = {} }: TransportRequest): boolean {
  return headers["content-type"]?.includes("apply-patch") === true;
}

function isMissingNamespace({ status, body }: TransportResponse): boolean {
  const details = isJsonObject(body) ? body["details"] : undefined;
  return status === 404 && isJsonObject(details) && details["kind"] === "namespaces";
}

function isOutdated(before: JsonObject | undefined, after: JsonObject): boolean {
  if (before === undefined) return false;
  const { resourceVersion = "" } = metadataOf(after);
  return resourceVersion !== "" && resourceVersion !== metadataOf(before).resourceVersion;
}

/** The response to a create in a namespace that does not exist yet; it is created by this plan or before the operator runs. */
function inPlannedNamespace(body: JsonObject, { namespace }: ObjectPath): JsonObject {
  const metadata = isJsonObject(body["metadata"]) ? body["metadata"] : {};
  return { ...body, metadata: { ...metadata, ...(namespace && { namespace }), uid: randomUUID() } };
}

function nameIn(body: unknown): string | undefined {
  const metadata = isJsonObject(body) ? body["metadata"] : undefined;
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

function response(status: number, body: unknown): TransportResponse {
  return { status, headers: { "content-type": "application/json" }, body };
}

function notFound({ group, resource }: ObjectPath, name: string): TransportResponse {
  const kind = group === "" ? resource : `${resource}.${group}`;
  return failure(404, "NotFound", `${kind} "${name}" not found`);
}

function rejected(what: string): TransportResponse {
  return failure(400, "BadRequest", `kubewright plan cannot send this: ${what}`);
}

function failure(code: number, reason: string, message: string): TransportResponse {
  return response(code, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code });
}
