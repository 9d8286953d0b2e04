import { createHash } from "node:crypto";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { OperatorError } from "@kubewright/core/errors";
import { parseJson, stringifyJson } from "@kubewright/core/json";
import type { RootDatabase } from "lmdb";
import { type DataFolder, refusal } from "./data-folder.js";
import type { Journal, JournalContent, JournalRecord } from "./journal.js";
import { damageOf } from "./lmdb-file.js";
import { loadLmdb } from "./load-lmdb.js";
import type { Change } from "./record.js";

/** Sorts before every object key, because bucket names start with a letter. */
const revisionKey = Buffer.from([0]);

/** LMDB rejects longer keys. The value holds the full key of an object. */
const maxKeyBytes = 1_900;

interface Waiting {
  readonly revision: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Persists the current state in an LMDB database, each record with a checksum.
 *
 * Changes that arrive during a transaction are batched into the next one, so that many writers share one fsync.
 * After a write failure nothing more is written: memory and disk have diverged.
 */
export class LmdbJournal implements Journal {
  readonly #folder: DataFolder;
  readonly #database: RootDatabase<Buffer, Buffer>;
  #pending: { readonly bucket: string; readonly change: Change }[] = [];
  #waiting: Waiting[] = [];
  #durable = 0;
  #failure: OperatorError | undefined;
  #writing: Promise<void> | undefined;

  private constructor(folder: DataFolder, database: RootDatabase<Buffer, Buffer>) {
    this.#folder = folder;
    this.#database = database;
  }

  /** Opens the database of a folder. Rejects with CLUSTER_START_FAILED if it is damaged, and with STORAGE_UNAVAILABLE without lmdb. */
  static async open(folder: DataFolder): Promise<LmdbJournal> {
    const damage = damageOf(join(folder.database, "data.mdb"));
    if (damage !== undefined) throw refusal(folder.path, damage);
    const { open } = await loadLmdb(folder.path);
    try {
      const database = open<Buffer, Buffer>({
        path: folder.database,
        encoding: "binary",
        keyEncoding: "binary",
        pageSize: 4096,
        // A transaction is committed only when it is on disk.
        overlappingSync: false,
      });
      return new LmdbJournal(folder, database);
    } catch (error) {
      throw refusal(folder.path, error instanceof Error ? error.message : String(error), error);
    }
  }

  get durable(): number {
    return this.#durable;
  }

  load(): JournalContent {
    let revision = 0;
    const records: JournalRecord[] = [];
    for (const { key, value } of this.#database.getRange({})) {
      const content = this.#parse(value);
      if (key.equals(revisionKey)) revision = Number(content);
      else records.push(content as JournalRecord);
    }
    if (records.some((record) => record.revision > revision))
      throw refusal(this.#folder.path, "its database holds objects with a newer revision than its own");
    this.#durable = revision;
    return { revision, records };
  }

  append(bucket: string, change: Change): void {
    this.#pending.push({ bucket, change });
    this.#writing ??= this.#writeAll();
  }

  whenDurable(revision: number): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (revision <= this.#durable) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ revision, resolve, reject });
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#database.close();
    this.#folder.close();
  }

  async #writeAll(): Promise<void> {
    // Wait for one turn of the event loop, to batch all writes of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0 && !this.#failure) {
      const batch = this.#pending;
      this.#pending = [];
      try {
        await this.#write(batch);
        this.#durable = batch.at(-1)?.change.revision ?? this.#durable;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.#failure = new OperatorError("STORAGE_FAILED", `Cannot write to "${this.#folder.path}": ${why}`, {
          cause: error,
        });
      }
      this.#settle();
    }
    this.#writing = undefined;
  }

  async #write(batch: readonly { readonly bucket: string; readonly change: Change }[]): Promise<void> {
    // Only the last state of each object is written.
    const last = new Map<string, { readonly bucket: string; readonly change: Change }>();
    for (const one of batch) last.set(`${one.bucket}\0${one.change.key}`, one);
    await this.#database.batch(() => {
      for (const [name, { bucket, change }] of last) {
        const key = keyOf(name);
        if (change.kind === "delete") void this.#database.remove(key);
        else void this.#database.put(key, sealed(stringifyJson(recordOf(bucket, change))));
      }
      void this.#database.put(revisionKey, sealed(String(batch.at(-1)?.change.revision ?? 0)));
    });
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) {
      if (this.#failure) one.reject(this.#failure);
      else if (one.revision <= this.#durable) one.resolve();
      else this.#waiting.push(one);
    }
  }

  #parse(value: Buffer): unknown {
    const text = value.subarray(4);
    if (value.length < 5 || value.readUInt32LE(0) !== crc32(text))
      throw refusal(this.#folder.path, "its database is damaged: the checksum of an object does not match");
    return parseJson(text.toString("utf8"));
  }
}

function recordOf(bucket: string, { key, revision, object }: Change): JournalRecord {
  return { bucket, key, revision, object };
}

/** A string prefixed with its checksum. */
function sealed(text: string): Buffer {
  const bytes = Buffer.from(`\0\0\0\0${text}`, "utf8");
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}

function keyOf(name: string): Buffer {
  const key = Buffer.from(name, "utf8");
  if (key.length <= maxKeyBytes) return key;
  return Buffer.concat([key.subarray(0, 1_000), createHash("sha256").update(key).digest()]);
}
