import { type S3Bucket, S3Requests } from "./s3-requests.js";
import { type SnapshotStorage, StorageError } from "./snapshot-storage.js";
import { elementOf, elementsOf } from "./xml-elements.js";

/** Sizes of an S3 storage. */
export interface S3StorageOptions extends S3Bucket {
  /** Content above it is uploaded in parts of this size, one of which is in memory. The service takes at least 5 MiB and 10,000 parts. @default 8_388_608 */
  readonly partBytes?: number;
}

/** Lists have pages of 1,000 names. */
const maxPages = 100;
/** How long a failed upload is cleaned up, when the signal of the request has aborted. */
const cleanUpMs = 10_000;

/** Snapshots in a bucket of an S3-compatible service. */
export function s3Storage({ partBytes = 8_388_608, ...bucket }: S3StorageOptions): SnapshotStorage {
  const requests = new S3Requests(bucket);

  const uploadParts = async (name: string, parts: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> => {
    const created = await requests.sendForText({ method: "POST", key: name, query: { uploads: "" }, signal });
    const uploadId = elementOf(created.text, "UploadId");
    if (uploadId === undefined) throw new StorageError("other", `The service began no upload of ${name}`);
    try {
      const tags: string[] = [];
      for await (const body of parts) {
        const query = { partNumber: String(tags.length + 1), uploadId };
        const { headers } = await requests.sendForText({ method: "PUT", key: name, query, body, signal });
        tags.push(headers.get("etag") ?? "");
      }
      const body = Buffer.from(completion(tags));
      await requests.sendForText({ method: "POST", key: name, query: { uploadId }, body, signal });
    } catch (error) {
      // Parts of an abandoned upload are stored, and paid for, until a rule of the bucket removes them.
      const query = { uploadId };
      await requests
        .sendForText({ method: "DELETE", key: name, query, signal: AbortSignal.timeout(cleanUpMs) })
        .catch(() => undefined);
      throw error;
    }
  };

  return {
    async save(name, content, signal) {
      const parts = inParts(content, partBytes);
      const first = await parts.next();
      const body = first.done ? new Uint8Array() : first.value;
      if (body.length < partBytes) await requests.sendForText({ method: "PUT", key: name, body, signal });
      else await uploadParts(name, prepend(body, parts), signal);
    },
    async list(prefix, signal) {
      const names: string[] = [];
      let token: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const query = {
          "list-type": "2",
          prefix,
          "encoding-type": "url",
          ...(token !== undefined && { "continuation-token": token }),
        };
        const { text } = await requests.sendForText({ method: "GET", query, signal });
        names.push(...elementsOf(text, "Key").map((key) => decodeURIComponent(key.replaceAll("+", " "))));
        token = elementOf(text, "NextContinuationToken");
        if (elementOf(text, "IsTruncated") !== "true" || token === undefined) return names;
      }
      throw new StorageError("other", `More than ${maxPages * 1_000} objects begin with "${prefix}"`);
    },
    async *read(name, signal) {
      const response = await requests.send({ method: "GET", key: name, signal });
      yield* response.body ?? [];
    },
    async delete(name, signal) {
      await requests.sendForText({ method: "DELETE", key: name, signal });
    },
  };
}

function completion(tags: readonly string[]): string {
  const parts = tags.map((tag, index) => {
    const escaped = tag.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
    return `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped}</ETag></Part>`;
  });
  return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
}

/** The content in parts of equal size; the last one may be smaller. All are in one buffer: a part is valid until the next one is asked for. */
async function* inParts(content: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Uint8Array, undefined> {
  const part = new Uint8Array(partBytes);
  let used = 0;
  for await (const chunk of content) {
    for (let offset = 0; offset < chunk.length; ) {
      const taken = chunk.subarray(offset, offset + partBytes - used);
      part.set(taken, used);
      used += taken.length;
      offset += taken.length;
      if (used < partBytes) continue;
      yield part;
      used = 0;
    }
  }
  if (used > 0) yield part.subarray(0, used);
}

async function* prepend(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
