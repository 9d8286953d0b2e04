import { parseJson } from "@kubewright/core/json";
import { Window } from "./window.js";

/** Structural bytes of JSON. */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openList = 0x5b;
const backslash = 0x5c;
export const closeList = 0x5d;
export const openObject = 0x7b;
export const closeObject = 0x7d;

/** Shorter strings are scanned byte by byte. */
const shortString = 32;

/** Invalid JSON, or JSON in a format that the scanner does not support. */
export class NotScannable extends Error {
  override readonly name = "NotScannable";
}

/**
 * Finds the ends of JSON values without parsing them.
 *
 * Every method takes the offset of the first byte, returns the offset after the last one, and throws {@link NotScannable} if there is no such value.
 * It tracks brackets and strings, and does not validate what is between them.
 */
export class Scanner {
  readonly bytes: Buffer;
  readonly #window: Window;
  #isAscii = false;
  #hasLongNumber = true;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#window = new Window(bytes);
  }

  /** The end of any value. */
  value(at: number): number {
    const first = this.bytes[at];
    if (first === quote) return this.string(at);
    return first === openObject || first === openList ? this.nested(at) : this.#literal(at);
  }

  /** The end of a string. */
  string(at: number): number {
    const { bytes } = this;
    // Most strings are short: `indexOf` costs more than a loop over a few bytes.
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

  /** The end of an object or an array. */
  nested(at: number): number {
    // All flags are set where there is no end.
    const { end, isAscii, hasLongNumber } = this.#window.endOf(at);
    this.#isAscii = isAscii;
    this.#hasLongNumber = hasLongNumber;
    return end >= 0 ? end : endOfEscaped(this.bytes, at);
  }

  /** The JSON of the value that was scanned last, or of a part of it. */
  text(at: number, end: number): string {
    return this.bytes.toString(this.#isAscii ? "latin1" : "utf8", at, end);
  }

  /** Parses the JSON of the object or array that was scanned last. Only what may contain an integer beyond 2^53 needs the exact parser. */
  get parser(): (text: string) => unknown {
    return this.#hasLongNumber ? parseJson : JSON.parse;
  }

  /** The end of the object that contains `at`; `at` must be outside strings and nested values. */
  rest(at: number): number {
    return endOfEscaped(this.bytes, at, 1);
  }

  /** The offset of `member` (a key and what follows it) in the object at `at`; undefined if the object has no such member. */
  reach(at: number, member: Buffer): number | undefined {
    for (let found = this.bytes.indexOf(member, at); found >= 0; found = this.bytes.indexOf(member, found + 1)) {
      const depth = depthAt(this.bytes, at, found);
      if (depth === 1) return found;
      // The object ends before it.
      if (depth === 0) return undefined;
    }
    return undefined;
  }

  /** The end of a number, `true`, `false` or `null`. */
  #literal(at: number): number {
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

/** Maps `[` to `{` and `]` to `}`; it maps no other JSON byte outside strings to one of these. */
const bracket = 0x20;

/** The nesting depth of offset `to` in the value at `from`: 0 if the value ends before, -1 inside a string. */
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
