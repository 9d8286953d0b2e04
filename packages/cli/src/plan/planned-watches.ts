import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { parseFieldSelector, parseLabelSelector } from "@kubewright/core/selector";
import type { TransportRequest } from "@kubewright/core/transport";
import { metadataOf } from "./metadata-of.js";
import { type ObjectPath, objectId } from "./object-path.js";
import type { PlannedObjects } from "./planned-objects.js";

type WatchEvent = { readonly type: string; readonly object: unknown };

/** An open watch of the operator. */
interface OpenWatch {
  readonly path: ObjectPath;
  readonly matches: (object: JsonObject) => boolean;
  readonly metadataOnly: boolean;
  readonly push: (event: WatchEvent) => void;
}

/** Shows planned writes to the operator's watches, as a server shows real ones. */
export class PlannedWatches {
  readonly #objects: PlannedObjects;
  readonly #open = new Set<OpenWatch>();

  constructor(objects: PlannedObjects) {
    this.#objects = objects;
  }

  /** The events of a watch: those of the server, without what the plan has replaced, and those of planned writes. */
  async *merged(path: ObjectPath, request: TransportRequest, items: AsyncIterable<unknown>): AsyncIterable<unknown> {
    const waiting: WatchEvent[] = [];
    let wake = (): void => {};
    const watch: OpenWatch = {
      path,
      matches: selectorOf(request),
      metadataOnly: request.headers?.["accept"]?.includes("as=PartialObjectMetadata") === true,
      push: (event) => {
        waiting.push(event);
        wake();
      },
    };
    this.#open.add(watch);
    const iterator = items[Symbol.asyncIterator]();
    try {
      let next = iterator.next();
      for (;;) {
        for (const event of waiting.splice(0)) yield event;
        const woken = new Promise<undefined>((resolve) => {
          wake = () => resolve(undefined);
        });
        const result = await Promise.race([next, woken]);
        if (result === undefined) continue;
        if (result.done) return;
        next = iterator.next();
        if (!this.#isReplaced(path, result.value)) yield result.value;
      }
    } finally {
      this.#open.delete(watch);
      await iterator.return?.();
    }
  }

  /** Sends an event to each watch that would get it. */
  wrote(path: ObjectPath, before: JsonObject | undefined, after: JsonObject | undefined): void {
    const name = metadataOf(after ?? before).name;
    for (const { path: watched, matches, metadataOnly, push } of this.#open) {
      const concerns =
        watched.base === path.base &&
        watched.resource === path.resource &&
        (watched.namespace === undefined || watched.namespace === path.namespace) &&
        (watched.name === undefined || watched.name === name);
      if (!concerns) continue;
      const was = before !== undefined && matches(before);
      const is = after !== undefined && matches(after);
      const object = after ?? before;
      if ((!was && !is) || object === undefined) continue;
      const type = is ? (was ? "MODIFIED" : "ADDED") : "DELETED";
      push({ type, object: metadataOnly ? metadataPart(object) : object });
    }
  }

  /** Whether the plan knows a newer state. */
  #isReplaced(path: ObjectPath, item: unknown): boolean {
    const object = isJsonObject(item) ? item["object"] : undefined;
    if (!isJsonObject(object) || !isJsonObject(object["metadata"])) return false;
    const { name, namespace } = metadataOf(object);
    return name !== undefined && this.#objects.has(objectId({ ...path, namespace }, name));
  }
}

function selectorOf({ query = {} }: TransportRequest): (object: JsonObject) => boolean {
  const labels = parseLabelSelector(query["labelSelector"] ?? "");
  const fields = parseFieldSelector(query["fieldSelector"] ?? "");
  return (object) =>
    labels.matches(metadataOf(object).labels ?? {}) && fields.matches((field) => scalarAt(object, field.split(".")));
}

function scalarAt(object: JsonValue | undefined, path: readonly string[]): string | undefined {
  const value = path.reduce<JsonValue | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), object);
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
}

function metadataPart({ metadata }: JsonObject): JsonObject {
  return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata: metadata ?? {} };
}
