import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "@kubewright/core/json";
import type { StoredRecord } from "./record.js";
import type { Store } from "./store.js";

/** All objects of a cluster at one revision. */
export interface Snapshot {
  /** The revision at which it was taken. */
  readonly revision: number;
}

const format = "kubewright-snapshot";
const formatVersion = 1;

/** A {@link Snapshot} of a store. It shares the stored values: taking it copies no object. */
export class StoreSnapshot implements Snapshot {
  readonly revision: number;
  readonly #buckets: ReadonlyMap<string, readonly StoredRecord[]>;
  /** Whether the revisions are those of another store, which does not tell what has changed. */
  readonly #isForeign: boolean;

  private constructor(revision: number, buckets: ReadonlyMap<string, readonly StoredRecord[]>, isForeign = false) {
    this.revision = revision;
    this.#buckets = buckets;
    this.#isForeign = isForeign;
  }

  /** Takes a snapshot of every bucket. */
  static of(store: Store): StoreSnapshot {
    const buckets = new Map<string, StoredRecord[]>();
    store.replay((bucket, { key, revision, object }) => {
      const records = buckets.get(bucket) ?? [];
      records.push({ key, revision, object });
      buckets.set(bucket, records);
    });
    return new StoreSnapshot(store.revision, buckets);
  }

  /** Reads what {@link toString} wrote, of any cluster. Throws CONFIG_INVALID for anything else. */
  static parse(text: string): StoreSnapshot {
    const invalid = (why: string): OperatorError =>
      new OperatorError("CONFIG_INVALID", `Cannot read the snapshot: ${why}`);
    const [head = "", ...lines] = text.split("\n");
    const header = parsedLine(head);
    if (header?.["format"] !== format) throw invalid("it is not a snapshot of an embedded cluster");
    if (header["version"] !== formatVersion)
      throw invalid(`it has format ${String(header["version"])}, but this version reads format ${formatVersion}`);
    const buckets = new Map<string, StoredRecord[]>();
    for (const line of lines.filter((one) => one !== "")) {
      const { bucket, key, object } = parsedLine(line) ?? {};
      if (typeof bucket !== "string" || typeof key !== "string" || !isJsonObject(object))
        throw invalid(`it is damaged at "${line.slice(0, 80)}"`);
      const records = buckets.get(bucket) ?? [];
      records.push({ key, revision: 0, object });
      buckets.set(bucket, records);
    }
    const count = [...buckets.values()].reduce((sum, records) => sum + records.length, 0);
    if (count !== header["objects"]) throw invalid(`it has ${count} of ${String(header["objects"])} objects`);
    return new StoreSnapshot(Number(header["revision"]), buckets, true);
  }

  /** All objects as JSON, one per line, which {@link parse} reads. */
  toString(): string {
    const lines = [...this.#buckets].flatMap(([bucket, records]) =>
      records.map(({ key, object }) => stringifyJson({ bucket, key, object })),
    );
    const header = { format, version: formatVersion, revision: this.revision, objects: lines.length };
    return `${[stringifyJson(header), ...lines].join("\n")}\n`;
  }

  /**
   * Writes the objects of the buckets that `includes` accepts back, with their uids and times and a new resourceVersion, and deletes all others of these
   * buckets, whatever their finalizers. Unchanged objects are not written. Watchers see the changes.
   */
  restore(store: Store, includes: (bucket: string) => boolean): void {
    const current = StoreSnapshot.of(store);
    for (const [bucket, records] of this.#buckets) {
      if (!includes(bucket)) continue;
      for (const { key, revision, object } of records) {
        const expected = store.bucket(bucket).get(key)?.revision ?? 0;
        if (this.#isForeign || expected !== revision)
          store.put(bucket, key, expected, (version) => at(object, version));
      }
    }
    for (const [bucket, records] of current.#buckets) {
      if (!includes(bucket)) continue;
      const kept = new Set(this.#buckets.get(bucket)?.map(({ key }) => key));
      for (const { key, revision, object } of records)
        if (!kept.has(key)) store.delete(bucket, key, revision, (version) => at(object, version));
    }
  }
}

function parsedLine(line: string): JsonObject | undefined {
  try {
    const value = parseJson(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function at(object: JsonObject, revision: number): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  return { ...object, metadata: { ...metadata, resourceVersion: String(revision) } };
}
