import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { applyMergePatch, diffMergePatch } from "@kubewright/core/patch";
import { metadataOf } from "./metadata-of.js";

/** Higher than those of any cluster, so that caches take a planned object for the newest. */
const firstVersion = 9_000_000_000_000_000;

/** The objects as they would be after the writes so far. */
export class PlannedObjects {
  /** Undefined: it would be deleted. */
  readonly #objects = new Map<string, JsonObject | undefined>();
  /** What the cluster calls the version that a planned object replaced. */
  readonly #realVersions = new Map<string, string>();
  #version = firstVersion;

  has(id: string): boolean {
    return this.#objects.has(id);
  }

  get(id: string): JsonObject | undefined {
    return this.#objects.get(id);
  }

  /**
   * The object with what a write would change. `before` and `after` are the server's states of that write, which do not contain the writes planned before;
   * without `before` it would be created.
   */
  write(id: string, before: JsonObject | undefined, after: JsonObject): JsonObject {
    const known = this.#objects.get(id);
    const merged =
      known === undefined || before === undefined
        ? after
        : (applyMergePatch(known, (diffMergePatch(before, after) ?? {}) as JsonValue) as JsonObject);
    return this.#put(id, merged, known, before ?? after);
  }

  /** The object with a merge patch: the server does not know it, because it exists in this plan only. */
  patch(id: string, known: JsonObject, patch: JsonObject): JsonObject {
    const { metadata, ...rest } = patch;
    const fields = isJsonObject(metadata) ? { ...metadata, resourceVersion: null, uid: null } : {};
    const { resourceVersion: _, uid: __, ...meta } = fields as Record<string, JsonValue>;
    return this.#put(id, applyMergePatch(known, { ...rest, metadata: meta }) as JsonObject, known, known);
  }

  delete(id: string): void {
    this.#objects.set(id, undefined);
  }

  /** A request's body with the versions that the server knows. */
  withRealVersions<Value>(body: Value): Value {
    if (typeof body === "string") return (this.#realVersions.get(body) ?? body) as Value;
    if (Array.isArray(body)) return body.map((item: unknown) => this.withRealVersions(item)) as Value;
    if (typeof body !== "object" || body === null) return body;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, this.withRealVersions(value as unknown)]),
    ) as Value;
  }

  #put(id: string, object: JsonObject, known: JsonObject | undefined, server: JsonObject): JsonObject {
    this.#version += 1;
    const resourceVersion = String(this.#version);
    this.#realVersions.set(resourceVersion, metadataOf(server).resourceVersion ?? "");
    const metadata = { ...(object["metadata"] as JsonObject), resourceVersion };
    const managedFields = mergedManagers(known, object);
    const planned = {
      ...object,
      metadata: { ...metadata, ...(managedFields.length > 0 && { managedFields }) },
    } as JsonObject;
    this.#objects.set(id, planned);
    return planned;
  }
}

/** The entries of the last write, and those of managers that only an earlier planned write added. */
function mergedManagers(known: JsonObject | undefined, next: JsonObject): JsonValue[] {
  const last = managersOf(next);
  const names = new Set(last.map(managerName));
  return [...last, ...managersOf(known).filter((entry) => !names.has(managerName(entry)))];
}

function managersOf(object: JsonObject | undefined): readonly JsonObject[] {
  const list = isJsonObject(object?.["metadata"]) ? object["metadata"]["managedFields"] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function managerName({ manager, operation, subresource = "" }: JsonObject): string {
  return `${String(manager)} ${String(operation)} ${String(subresource)}`;
}
