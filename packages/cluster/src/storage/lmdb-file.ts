import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";

/** Byte offsets in the two meta pages of an LMDB database. The page with the higher transaction ID is current. */
const layout = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, length: 160 } as const;
const magic = 0xbeefc0de;

/**
 * Describes why a database file is damaged; undefined if it looks intact or does not exist.
 *
 * LMDB maps the file into memory, where a truncated file kills the process with SIGBUS. So its size is checked first.
 */
export function damageOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const handle = openSync(file, "r");
  try {
    const { size } = fstatSync(handle);
    if (size === 0) return undefined;
    const first = readMeta(handle, 0);
    const second = first && readMeta(handle, first.pageSize);
    if (!first || !second) return "its database is not an LMDB file, or is damaged";
    const { pageSize, lastPage } = second.transaction > first.transaction ? second : first;
    if (size < (lastPage + 1) * pageSize) return "its database is truncated";
    return undefined;
  } finally {
    closeSync(handle);
  }
}

function readMeta(
  handle: number,
  at: number,
): { readonly pageSize: number; readonly lastPage: number; readonly transaction: number } | undefined {
  const bytes = Buffer.alloc(layout.length);
  if (readSync(handle, bytes, 0, layout.length, at) < layout.length) return undefined;
  if (bytes.readUInt32LE(layout.magic) !== magic) return undefined;
  const pageSize = bytes.readUInt32LE(layout.pageSize);
  if (pageSize < 256 || pageSize > 65_536) return undefined;
  return {
    pageSize,
    lastPage: Number(bytes.readBigUInt64LE(layout.lastPage)),
    transaction: Number(bytes.readBigUInt64LE(layout.transaction)),
  };
}
