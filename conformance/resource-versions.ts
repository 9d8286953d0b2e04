/**
 * Normalises the resource versions of one case. Those of objects are numbered in order: `rv1` is the oldest in the case. Those of lists and
 * bookmarks become the newest object version they include, `rv3+`, because other writers advance the store's version too.
 */
export class ResourceVersions {
  readonly #order: readonly number[];

  constructor(given: unknown) {
    const found = new Set<number>();
    collect(given, false, found);
    this.#order = [...found].sort((a, b) => a - b);
  }

  /** The version of an object. */
  object(text: string): string {
    const place = this.#order.indexOf(Number(text));
    return place < 0 ? text : `rv${place + 1}`;
  }

  /** The version of a list or a bookmark. */
  snapshot(text: string): string {
    if (!/^\d+$/.test(text)) return text;
    return `rv${this.#order.filter((version) => version <= Number(text)).length}+`;
  }

  /** The version of a stored object that the case may not have seen before. */
  #stored(text: string): string {
    return this.#order.includes(Number(text)) ? this.object(text) : this.snapshot(text);
  }

  /** A decoded continue token: its content is compared. */
  continueToken(text: string, cleanName: (text: string) => string): string {
    if (text === "") return text;
    try {
      const { rv, start, ...rest } = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
      const version = rv === -1 ? rv : this.snapshot(String(rv));
      return `<continue ${JSON.stringify({ ...rest, rv: version, start: cleanName(String(start)) })}>`;
    } catch {
      return text;
    }
  }

  /** Replaces versions inside a message. */
  inMessage(text: string): string {
    return (
      text
        .replace(
          /(ResourceVersion in (?:precondition|object meta): )(\d+)/g,
          (_, before, digits) => before + this.object(digits),
        )
        .replace(/(resourceVersion(?:\\?":\\?"|: "))(\d+)/g, (_, before, digits) => before + this.snapshot(digits))
        // A patch may copy a version into the name, or elsewhere into an object that is then quoted.
        .replace(/(:\\")(\d{2,})(?=\\")/g, (_, before, digits) => before + this.object(digits))
        .replace(/(the name of the object )\((\d+)\)/g, (_, before, digits) => `${before}(${this.object(digits)})`)
        .replace(
          /the ResourceVersion in (the precondition|record) \((\d+)\)/g,
          (_, where, digits) =>
            `the ResourceVersion in ${where} (${where === "record" ? this.#stored(digits) : this.object(digits)})`,
        )
        .replace(/(too old resource version: )\d+ \(\d+\)/g, "$1<old> (<oldest>)")
        .replace(/(Too large resource version: \d+, current: )\d+/g, "$1<current>")
    );
  }
}

function collect(value: unknown, isSnapshot: boolean, found: Set<number>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, false, found);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const record = value as Record<string, unknown>;
  const isList = Array.isArray(record["items"]) || Array.isArray(record["rows"]) || record["items"] === null;
  for (const [key, inner] of Object.entries(record)) {
    if (key === "resourceVersion" && !isSnapshot && typeof inner === "string" && /^\d+$/.test(inner)) {
      found.add(Number(inner));
      continue;
    }
    const isBookmark = record["type"] === "BOOKMARK" && key === "object";
    const isInner = isSnapshot && key === "metadata";
    collect(inner, isBookmark || isInner || (isList && key === "metadata"), found);
  }
}
