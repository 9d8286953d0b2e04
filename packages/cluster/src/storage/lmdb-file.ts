import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";

/** Where things stand in the two first pages of a database of LMDB, which describe it; the newer one counts. */
const layout = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, length: 160 } as const;
const magic = 0xbeefc0de;

/**
 * Why a database file cannot be whole; undefined when it may be, or is not there.
 *
 * The database is mapped into memory, where a file that was cut off ends the process without a word; so its size is looked at first.
 */
export function damageOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const handle = openSync(file, "r");
  try {
    const { size } = fstatSync(handle);
    if (size === 0) return undefined;
    const first = readMeta(handle, 0);
    const second = first && readMeta(handle, first.pageSize);
    if (!first || !second) return "its database is not one, or is damaged";
    const { pageSize, lastPage } = second.transaction > first.transaction ? second : first;
    if (size < (lastPage + 1) * pageSize) return "its database was cut off";
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
