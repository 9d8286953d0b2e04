import type { Clock } from "@kubewright/core/clock";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/** The names of the fields that lead to a field; null for each item of a list. */
type Path = readonly (string | null)[];

/** How long a field counts as dropped: then it is sent once more, because the CRD may have been updated. */
const forgetMs = 300_000;
/** A bound on the known fields: more are sent each time, as if they were not dropped. */
const maxFields = 100;

/**
 * The fields of a status that the server drops, because its CRD does not specify them: known from responses to writes. Without this memory each run
 * would send them again.
 */
export class DroppedFields {
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly path: Path; untilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Compares what a merge patch set with the object that the server returned. Returns the paths that are new, such as `.status.url`. */
  note(sent: JsonObject, returned: JsonObject): readonly string[] {
    const missing: Path[] = [];
    const unknown: string[] = [];
    collect(sent, returned, [], missing);
    for (const path of missing) {
      const shown = format(path);
      const known = this.#known.get(shown);
      if (known === undefined && this.#known.size >= maxFields) continue;
      this.#known.set(shown, { path, untilMs: this.#clock.monotonic() + forgetMs });
      if (known === undefined) unknown.push(shown);
    }
    return unknown;
  }

  /** The object without the fields that the server drops. One that `live` has stays: the server accepts it by now. */
  without(object: JsonObject, live: JsonObject): JsonObject {
    if (this.#known.size === 0) return object;
    const nowMs = this.#clock.monotonic();
    let result: JsonValue = object;
    for (const { path, untilMs } of this.#known.values())
      if (nowMs < untilMs && !has(live, path)) result = removed(result, path);
    return isJsonObject(result) ? result : object;
  }
}

/** Paths of what was sent and did not come back. */
function collect(sent: JsonValue, returned: JsonValue | undefined, path: Path, missing: Path[]): void {
  if (isJsonObject(sent) && isJsonObject(returned)) {
    for (const [name, value] of Object.entries(sent)) {
      // In a merge patch, null removes; a server drops it in lists too.
      if (value === null) continue;
      const current = getOwn(returned, name);
      if (current === undefined) missing.push([...path, name]);
      else collect(value, current, [...path, name], missing);
    }
  } else if (Array.isArray(sent) && Array.isArray(returned) && sent.length === returned.length) {
    for (const [index, item] of sent.entries()) collect(item, returned[index], [...path, null], missing);
  }
}

function has(value: JsonValue | undefined, [first, ...rest]: Path): boolean {
  if (first === undefined) return value !== undefined;
  if (first === null) return Array.isArray(value) && value.some((item) => has(item, rest));
  return isJsonObject(value) && has(getOwn(value, first), rest);
}

function removed(value: JsonValue, [first, ...rest]: Path): JsonValue {
  if (first === undefined) return value;
  if (first === null) return Array.isArray(value) ? value.map((item) => removed(item, rest)) : value;
  if (!isJsonObject(value)) return value;
  const field = getOwn(value, first);
  if (field === undefined) return value;
  if (rest.length > 0) return { ...value, [first]: removed(field, rest) };
  const { [first]: _, ...others } = value;
  return others;
}

function format(path: Path): string {
  return path.map((name) => (name === null ? "[]" : `.${name}`)).join("");
}
