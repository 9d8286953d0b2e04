/** The object in a cluster that a bucket belongs to. The service keeps it with the bucket and sends it with each event. */
export interface Owner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A bucket as the service describes it. */
export interface RemoteBucket {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly versioning: boolean;
  readonly owner: Owner | null;
}

/** What the operator needs of an object storage. Calls reject when the service cannot be reached or fails; the run is then repeated with backoff. */
export interface BucketService {
  find(name: string, signal: AbortSignal): Promise<RemoteBucket | undefined>;
  /** Returns undefined when the name was taken in between. */
  create(
    bucket: Pick<RemoteBucket, "name" | "versioning" | "owner">,
    signal: AbortSignal,
  ): Promise<RemoteBucket | undefined>;
  update(
    name: string,
    change: Partial<Pick<RemoteBucket, "versioning" | "owner">>,
    signal: AbortSignal,
  ): Promise<RemoteBucket>;
  /** `notEmpty` leaves the bucket. A missing bucket is `deleted`. */
  delete(name: string, signal: AbortSignal): Promise<"deleted" | "notEmpty">;
  /** Whether the content of a bucket can be read: what users of the bucket need. */
  probe(name: string, signal: AbortSignal): Promise<boolean>;
  /** The owners of buckets that changed, until the signal aborts. Throws when the connection ends. */
  changes(signal: AbortSignal): AsyncIterable<Owner>;
}
