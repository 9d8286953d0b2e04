import { Window } from "./window.js";

/** A byte by which JSON is read. */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openList = 0x5b;
const backslash = 0x5c;
export const closeList = 0x5d;
export const openObject = 0x7b;
export const closeObject = 0x7d;

/** Strings of this length are looked through byte by byte. */
const shortString = 32;

/** Bytes that are not JSON, or JSON in a form that is not scanned. */
export class NotScannable extends Error {
  override readonly name = "NotScannable";
}

/**
 * Finds where values of JSON text end, without reading them.
 *
 * Every method takes the place of a first byte and gives the place after the last one, and throws {@link NotScannable} where there is no such
 * value. Brackets and strings are followed; what else stands between them is not looked at.
 */
export class Scanner {
  readonly bytes: Buffer;
  readonly #window: Window;
  #isAscii = false;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#window = new Window(bytes);
  }

  /** The end of any value. */
  value(at: number): number {
    const first = this.bytes[at];
    if (first === quote) return this.string(at);
    return first === openObject || first === openList ? this.nested(at) : this.#word(at);
  }

  /** The end of a string. */
  string(at: number): number {
    const { bytes } = this;
    // Most are short: a search by Node costs more than a look at a few bytes.
    const near = Math.min(at + shortString, bytes.length);
    for (let index = at + 1; index < near; index++) {
      const byte = bytes[index];
      if (byte === quote) return index + 1;
      if (byte === backslash) break;
    }
    for (let end = bytes.indexOf(quote, at + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
      let slashes = 0;
      while (bytes[end - 1 - slashes] === backslash) slashes++;
      if (slashes % 2 === 0) return end + 1;
    }
    throw new NotScannable();
  }

  /** The end of an object or a list. */
  nested(at: number): number {
    const { end, isAscii } = this.#window.endOf(at);
    this.#isAscii = isAscii;
    return end >= 0 ? end : endOfEscaped(this.bytes, at);
  }

  /** The text of the value that was scanned last, or of a part of it. */
  text(at: number, end: number): string {
    return this.bytes.toString(this.#isAscii ? "latin1" : "utf8", at, end);
  }

  /** The end of the object in which `at` stands, outside of strings and of what it holds. */
  rest(at: number): number {
    return endOfEscaped(this.bytes, at, 1);
  }

  /** Where `member`, a key with what follows it, stands in the object that begins at `at`; undefined where that has no such member. */
  reach(at: number, member: Buffer): number | undefined {
    for (let found = this.bytes.indexOf(member, at); found >= 0; found = this.bytes.indexOf(member, found + 1)) {
      const depth = depthAt(this.bytes, at, found);
      if (depth === 1) return found;
      // The object ended before.
      if (depth === 0) return undefined;
    }
    return undefined;
  }

  /** The end of a number, `true`, `false` or `null`. */
  #word(at: number): number {
    for (let end = at; end < this.bytes.length; end++) {
      const byte = this.bytes[end];
      if (byte === comma || byte === closeObject || byte === closeList) {
        if (end > at) return end;
        break;
      }
    }
    throw new NotScannable();
  }
}

/** Makes `[` to `{` and `]` to `}`; no other byte of JSON outside of strings becomes one of these two. */
const bracket = 0x20;

/** How deep `to` lies in the value that begins at `from`: 0 when the value ends before, -1 for a place within a string. */
function depthAt(bytes: Buffer, from: number, to: number): number {
  let depth = 0;
  for (let index = from; index < to; ) {
    const byte = bytes[index++] as number;
    if (byte === quote) {
      for (let inner = bytes[index]; inner !== quote; inner = bytes[index]) {
        index += inner === backslash ? 2 : 1;
        if (index >= to) return -1;
      }
      index++;
    } else {
      const shape = byte | bracket;
      if (shape === openObject) depth++;
      else if (shape === closeObject && --depth === 0) return 0;
    }
  }
  return depth;
}

function endOfEscaped(bytes: Buffer, at: number, within = 0): number {
  let depth = within;
  for (let index = at; index < bytes.length; ) {
    const byte = bytes[index++] as number;
    if (byte === quote) {
      for (let inner = bytes[index]; inner !== quote; inner = bytes[index]) {
        index += inner === backslash ? 2 : 1;
        if (index >= bytes.length) throw new NotScannable();
      }
      index++;
    } else {
      const shape = byte | bracket;
      if (shape === openObject) depth++;
      else if (shape === closeObject && --depth === 0) return index;
    }
  }
  throw new NotScannable();
}
