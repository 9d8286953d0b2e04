import { createHash } from "node:crypto";

const hashBytes = 32;
const pageBytes = 512;

/**
 * Passes the bytes of a snapshot file on, and throws at their end if they are not complete and unchanged: a snapshot file is a database of whole
 * pages, followed by its SHA-256.
 */
export async function* verifiedSnapshot(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  /** The last bytes so far, at most as many as a hash has: they may be the hash. */
  let tail: Uint8Array = new Uint8Array();
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    const bytes = Buffer.concat([tail, chunk]);
    const hashed = Math.max(0, bytes.length - hashBytes);
    hash.update(bytes.subarray(0, hashed));
    tail = bytes.subarray(hashed);
    yield chunk;
  }
  if (size % pageBytes !== hashBytes)
    throw new Error(`The snapshot is not complete: it has ${size} bytes, which is not a number of pages and a SHA-256`);
  if (!hash.digest().equals(tail)) throw new Error("The snapshot is damaged: its SHA-256 does not match");
}
