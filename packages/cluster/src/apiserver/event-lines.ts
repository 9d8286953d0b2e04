import { isJsonObject, stringifyJson } from "@kubewright/core/json";
import type { EventStream } from "./api-request.js";
import type { JsonCache } from "./json-cache.js";

/** Maximum number of cached lines, for other watches of the same objects. */
const maxLines = 512;

/** Longer lines are not cached. */
const maxLineBytes = 65_536;

/** Maximum size of one write to a watch. */
const batchBytes = 65_536;

/** Encodes watch events as lines. An event that many watches receive is encoded once. */
export class EventLines {
  readonly #json: JsonCache;
  readonly #lines = new Map<unknown, { readonly type: string; readonly line: Buffer }>();

  constructor(json: JsonCache) {
    this.#json = json;
  }

  /** Encodes an event, and the events available after it up to a limit, into one buffer. */
  encode(first: unknown, events: EventStream): Buffer {
    const line = this.#lineOf(first);
    const lines = [line];
    let size = line.length;
    while (size < batchBytes) {
      const event = events.take();
      if (event === undefined) break;
      const next = this.#lineOf(event);
      lines.push(next);
      size += next.length;
    }
    return lines.length === 1 ? line : Buffer.concat(lines, size);
  }

  #lineOf(event: unknown): Buffer {
    if (!isJsonObject(event)) return Buffer.from(`${stringifyJson(event)}\n`, "utf8");
    const { type, object } = event;
    if (typeof type !== "string" || !isJsonObject(object)) return Buffer.from(`${stringifyJson(event)}\n`, "utf8");
    const known = this.#lines.get(object);
    if (known?.type === type) return known.line;
    const line = Buffer.from(`{"type":${JSON.stringify(type)},"object":${this.#json.of(object)}}\n`, "utf8");
    if (Object.isFrozen(object) && line.length < maxLineBytes) {
      if (this.#lines.size >= maxLines) this.#lines.delete(this.#lines.keys().next().value);
      this.#lines.set(object, { type, line });
    }
    return line;
  }
}
