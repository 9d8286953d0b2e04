import { closeObject, colon, comma, NotScannable, openObject, quote, type Scanner } from "./scan.js";

/** Is told of a member of an object: its key, and where its value begins. Gives where the value ends. */
export type MemberVisitor = (key: string, valueAt: number) => number;

/**
 * Goes through the members of the object that begins at `at`, and gives the place after it.
 *
 * Only text without spaces between members is gone through, as API servers write it. Throws {@link NotScannable} for any other.
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

/** Keys that were met lately, by their length and two of their bytes: there are few, and making a text costs more than comparing one. */
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

/** The text of a string that stands at `at`; `end` is behind its closing quote. */
export function textOf(bytes: Buffer, at: number, end: number): string {
  const text = bytes.toString("utf8", at + 1, end - 1);
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}
