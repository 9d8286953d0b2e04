import type { ApiStatus } from "@kubewright/core/errors";
import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { AccessAttributes, User } from "../access/index.js";
import type { AuditEvent, AuditedObject, AuditStage, AuditUser } from "./audit-event.js";
import type { AuditSettings } from "./audit-policy.js";

/** The parts of a request that its audit events show. */
export interface TrailedRequest {
  readonly user: User;
  /** Path and query. */
  readonly uri: string;
  readonly attributes: AccessAttributes;
  /** Empty for a non-resource request. */
  readonly apiVersion: string;
  readonly userAgent: string | undefined;
  /** The address of the client; undefined in process. */
  readonly source: string | undefined;
  /** The decoded body; undefined for none. */
  readonly body: JsonValue | undefined;
}

/** The parts of a response that its audit event shows. */
export interface TrailedResponse {
  readonly code: number;
  /** Undefined for a stream. */
  readonly body: unknown;
}

/** Where a trail sends its events, and where it takes ids and times from. */
export interface TrailTarget {
  emit(event: AuditEvent): void;
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The audit events of one request. */
export class AuditTrail {
  readonly #request: TrailedRequest;
  readonly #settings: AuditSettings;
  readonly #target: TrailTarget;
  readonly #id: string;
  readonly #receivedMs: number;
  /** Copied, because decoding changes the body in place. */
  readonly #requestObject: JsonValue | undefined;
  readonly #annotations: Record<string, string> = {};
  #impersonated: User | undefined;

  constructor(request: TrailedRequest, settings: AuditSettings, target: TrailTarget) {
    this.#request = request;
    this.#settings = settings;
    this.#target = target;
    this.#id = target.newId();
    this.#receivedMs = target.now();
    const { level } = settings;
    const shows = (level === "Request" || level === "RequestResponse") && request.body !== undefined;
    this.#requestObject = shows ? this.#shown(cloneJson(request.body ?? null)) : undefined;
    this.#emit("RequestReceived");
  }

  /** Adds an annotation to the events that follow; the first value of a key stays, as in kube-apiserver. */
  annotate(key: string, value: string): void {
    this.#annotations[key] ??= value;
  }

  impersonated(user: User): void {
    this.#impersonated = user;
  }

  /** A watch or another stream has started. */
  started(): void {
    this.#emit("ResponseStarted", { code: 200, body: undefined });
  }

  complete(response: TrailedResponse): void {
    this.#emit("ResponseComplete", response);
  }

  #emit(stage: AuditStage, response?: TrailedResponse): void {
    const { level, omitStages } = this.#settings;
    if (omitStages.includes(stage)) return;
    const { user, uri, attributes, userAgent, source } = this.#request;
    const objectRef = this.#objectRef();
    const showsResponse = level === "RequestResponse" && isJsonObject(response?.body);
    this.#target.emit({
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level,
      auditID: this.#id,
      stage,
      requestURI: uri,
      verb: attributes.verb,
      user: auditUser(user),
      ...(this.#impersonated && { impersonatedUser: auditUser(this.#impersonated) }),
      ...(source !== undefined && { sourceIPs: [source] }),
      ...(userAgent !== undefined && { userAgent }),
      ...(objectRef && { objectRef }),
      ...(response && { responseStatus: statusOf(response) }),
      ...(this.#requestObject !== undefined && stage !== "RequestReceived" && { requestObject: this.#requestObject }),
      ...(showsResponse && { responseObject: this.#shown(response?.body as JsonObject) }),
      requestReceivedTimestamp: microTime(this.#receivedMs),
      stageTimestamp: microTime(this.#target.now()),
      ...(Object.keys(this.#annotations).length > 0 && { annotations: { ...this.#annotations } }),
    });
  }

  #objectRef(): AuditedObject | undefined {
    const { attributes, apiVersion } = this.#request;
    if (attributes.kind !== "resource") return undefined;
    const { resource, namespace, group, subresource } = attributes;
    const metadata = isJsonObject(this.#requestObject) ? this.#requestObject["metadata"] : undefined;
    const { name: sentName, uid, resourceVersion } = (isJsonObject(metadata) ? metadata : {}) as Record<string, string>;
    const name = attributes.name || (sentName ?? "");
    return {
      resource,
      ...(namespace !== "" && { namespace }),
      ...(name !== "" && { name }),
      ...(uid && { uid }),
      ...(group !== "" && { apiGroup: group }),
      apiVersion,
      ...(resourceVersion && { resourceVersion }),
      ...(subresource !== "" && { subresource }),
    };
  }

  /** The value without managedFields if the policy omits them. */
  #shown<T extends JsonValue>(value: T): T {
    if (!this.#settings.omitManagedFields || !isJsonObject(value)) return value;
    const { items } = value;
    const object: JsonObject = value;
    const shown = Array.isArray(items) ? { ...object, items: items.map(withoutManagers) } : object;
    return withoutManagers(shown) as T;
  }
}

function withoutManagers(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(value["metadata"])) return value;
  const { managedFields: _, ...metadata } = value["metadata"];
  return { ...value, metadata };
}

function auditUser({ name, uid, groups, extra }: User): AuditUser {
  return {
    username: name,
    ...(uid !== "" && { uid }),
    groups,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** A failure's Status without its kind, or the code alone. */
function statusOf({ code, body }: TrailedResponse): Partial<ApiStatus> {
  if (!isJsonObject(body as JsonValue) || (body as JsonObject)["kind"] !== "Status") return { metadata: {}, code };
  const { status, message, reason, details } = body as unknown as ApiStatus;
  return {
    metadata: {},
    ...(status && { status }),
    ...(message && { message }),
    ...(reason && { reason }),
    ...(details && { details }),
    code,
  };
}

/** RFC 3339 with microseconds, as metav1.MicroTime. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}
