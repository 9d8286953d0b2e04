import { isJsonObject } from "@kubewright/core/json";
import type { EventStream } from "./api-request.js";
import type { JsonTexts } from "./json-texts.js";

/** How many lines are kept, for other watches of the same objects. */
const maxLines = 512;

/** Longer lines are not kept. */
const maxLineBytes = 65_536;

/** How many bytes of a watch are written at once. */
const batchBytes = 65_536;

/** The lines of watch events. Many watches get the same event: its line is encoded once. */
export class EventLines {
  readonly #texts: JsonTexts;
  readonly #lines = new Map<unknown, { readonly type: string; readonly line: Buffer }>();

  constructor(texts: JsonTexts) {
    this.#texts = texts;
  }

  /** The lines of an event and of those that are available already, up to a bound, as one buffer. */
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
    if (!isJsonObject(event)) return Buffer.from(`${JSON.stringify(event)}\n`, "utf8");
    const { type, object } = event;
    if (typeof type !== "string" || !isJsonObject(object)) return Buffer.from(`${JSON.stringify(event)}\n`, "utf8");
    const known = this.#lines.get(object);
    if (known?.type === type) return known.line;
    const line = Buffer.from(`{"type":${JSON.stringify(type)},"object":${this.#texts.of(object)}}\n`, "utf8");
    if (Object.isFrozen(object) && line.length < maxLineBytes) {
      if (this.#lines.size >= maxLines) this.#lines.delete(this.#lines.keys().next().value);
      this.#lines.set(object, { type, line });
    }
    return line;
  }
}
