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
    index = visit(textOf(bytes, index, keyEnd), keyEnd + 1);
    if (bytes[index] === closeObject) return index + 1;
    if (bytes[index] !== comma) throw new NotScannable();
  }
}

/** The text of a string that stands at `at`; `end` is behind its closing quote. */
export function textOf(bytes: Buffer, at: number, end: number): string {
  const text = bytes.toString("utf8", at + 1, end - 1);
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}
