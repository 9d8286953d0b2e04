const start = 0x811c9dc5;
const prime = 0x01000193;

/** The FNV-1a hash of bytes, in 32 bits: what Go calls `fnv.New32a`. */
export function fnv1a32(bytes: Uint8Array): number {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return hash >>> 0;
}

/** The FNV-1 hash of bytes, in 32 bits: what Go calls `fnv.New32`. */
export function fnv1of32(bytes: Uint8Array): number {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash, prime) ^ byte;
  return hash >>> 0;
}
