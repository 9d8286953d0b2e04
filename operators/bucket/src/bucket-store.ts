import { randomUUID } from "node:crypto";
import type { BucketService, Owner, RemoteBucket } from "./bucket-service.js";

/** A small object storage in memory: for tests, and for trying the operator without a provider. */
export class BucketStore implements BucketService {
  readonly #buckets = new Map<string, { bucket: RemoteBucket; readonly objects: Set<string>; readable: boolean }>();
  readonly #listeners = new Set<(owner: Owner) => void>();
  /** Every call while it is set rejects with this error: a service that is down. */
  failure: Error | undefined;

  async find(name: string): Promise<RemoteBucket | undefined> {
    this.#checkUp();
    return this.#buckets.get(name)?.bucket;
  }

  async create({ name, versioning, owner }: Pick<RemoteBucket, "name" | "versioning" | "owner">) {
    this.#checkUp();
    if (this.#buckets.has(name)) return undefined;
    const bucket = { id: randomUUID(), name, url: `https://${name}.storage.example.com`, versioning, owner };
    this.#buckets.set(name, { bucket, objects: new Set(), readable: true });
    return bucket;
  }

  async update(name: string, change: Partial<Pick<RemoteBucket, "versioning" | "owner">>): Promise<RemoteBucket> {
    this.#checkUp();
    const entry = this.#buckets.get(name);
    if (entry === undefined) throw new Error(`Cannot update bucket "${name}": it does not exist`);
    entry.bucket = { ...entry.bucket, ...change };
    this.#emit(entry.bucket);
    return entry.bucket;
  }

  async delete(name: string): Promise<"deleted" | "notEmpty"> {
    this.#checkUp();
    const entry = this.#buckets.get(name);
    if (entry && entry.objects.size > 0) return "notEmpty";
    this.#buckets.delete(name);
    if (entry) this.#emit(entry.bucket);
    return "deleted";
  }

  async probe(name: string): Promise<boolean> {
    this.#checkUp();
    return this.#buckets.get(name)?.readable === true;
  }

  async *changes(signal: AbortSignal): AsyncIterable<Owner> {
    this.#checkUp();
    const waiting: Owner[] = [];
    let wake = (): void => undefined;
    const listener = (owner: Owner): void => {
      waiting.push(owner);
      wake();
    };
    const onAbort = (): void => wake();
    this.#listeners.add(listener);
    signal.addEventListener("abort", onAbort);
    try {
      while (!signal.aborted) {
        yield* waiting.splice(0);
        if (waiting.length === 0 && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Stores an object in a bucket; a bucket with objects cannot be deleted. */
  put(name: string, key: string): void {
    this.#buckets.get(name)?.objects.add(key);
  }

  /** Deletes all objects of a bucket. */
  empty(name: string): void {
    this.#buckets.get(name)?.objects.clear();
  }

  /** Whether the content of a bucket can be read. */
  setReadable(name: string, readable: boolean): void {
    const entry = this.#buckets.get(name);
    if (entry === undefined) return;
    entry.readable = readable;
    this.#emit(entry.bucket);
  }

  #emit({ owner }: RemoteBucket): void {
    if (owner) for (const listener of this.#listeners) listener(owner);
  }

  #checkUp(): void {
    if (this.failure) throw this.failure;
  }
}
