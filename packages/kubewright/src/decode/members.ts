import { closeObject, colon, comma, NotScannable, openObject, quote, type Scanner } from "./scan.js";

/** Called for each member of an object with its key and the offset of its value. Returns the end offset of the value. */
export type MemberVisitor = (key: string, valueAt: number) => number;

/**
 * Visits the members of the object at offset `at`, and returns the offset after it.
 *
 * Supports only compact JSON, as API servers send it. Throws {@link NotScannable} otherwise.
 */
export function visitMembers(scanner: Scanner, at: number, visit: MemberVisitor): number {
  const { bytes } = scanner;
  if (bytes[at] !== openObject) throw new NotScannable();
  if (bytes[at + 1] === closeObject) return at + 2;
  for (let index = at + 1; ; index++) {
    if (bytes[index] !== quote) throw new NotScannable();
    const keyEnd = scanner.string(index);
    if (bytes[keyEnd] !== colon) throw new NotScannable();
    index = visit(keyText(bytes, index, keyEnd), keyEnd + 1);
    if (bytes[index] === closeObject) return index + 1;
    if (bytes[index] !== comma) throw new NotScannable();
  }
}

/** Interned keys, by length and two of their bytes: there are few, and creating a string costs more than comparing bytes. */
const keys = new Map<number, { readonly bytes: Buffer; readonly text: string }>();
const maxKeys = 1_024;

function keyText(bytes: Buffer, at: number, end: number): string {
  const place = ((end - at) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[end - 2] ?? 0);
  const known = keys.get(place);
  if (known !== undefined && isSame(known.bytes, bytes, at)) return known.text;
  const text = textOf(bytes, at, end);
  if (known === undefined && keys.size < maxKeys && end - at < 64)
    keys.set(place, { bytes: Buffer.from(bytes.subarray(at, end)), text });
  return text;
}

function isSame(key: Buffer, bytes: Buffer, at: number): boolean {
  for (let index = 0; index < key.length; index++) if (key[index] !== bytes[at + index]) return false;
  return true;
}

/** Returns the value of the string literal at `at`; `end` is the offset after its closing quote. */
export function textOf(bytes: Buffer, at: number, end: number): string {
  const text = bytes.toString("utf8", at + 1, end - 1);
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}
