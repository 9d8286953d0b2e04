/** A byte by which JSON is read. */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openList = 0x5b;
const backslash = 0x5c;
export const closeList = 0x5d;
export const openObject = 0x7b;
export const closeObject = 0x7d;

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
  /** Before this place, and after the last one that was scanned, there is no backslash. */
  #escape = -1;
  /** The last quote before {@link #escape}. */
  #lastQuote = -1;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The end of any value. */
  value(at: number): number {
    const first = this.bytes[at];
    if (first === quote) return this.string(at);
    return first === openObject || first === openList ? this.nested(at) : this.#word(at);
  }

  /** The end of a string. */
  string(at: number): number {
    for (let end = this.bytes.indexOf(quote, at + 1); end >= 0; end = this.bytes.indexOf(quote, end + 1)) {
      let slashes = 0;
      while (this.bytes[end - 1 - slashes] === backslash) slashes++;
      if (slashes % 2 === 0) return end + 1;
    }
    throw new NotScannable();
  }

  /** The end of an object or a list. */
  nested(at: number): number {
    if (this.#escape < at) {
      const next = this.bytes.indexOf(backslash, at);
      this.#escape = next < 0 ? this.bytes.length : next;
      this.#lastQuote = this.bytes.lastIndexOf(quote, this.#escape - 1);
    }
    return endOfPlain(this.bytes, at, this.#escape, this.#lastQuote) ?? endOfEscaped(this.bytes, at);
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

/**
 * Without a backslash before `limit`, the next quote ends a string. Undefined when the value does not end before `limit`.
 *
 * Most bytes stand in strings, so each of them costs one comparison: that there is a quote to be found is known from `lastQuote`, and four bytes
 * are looked at in one turn, which is a third faster.
 */
function endOfPlain(bytes: Buffer, at: number, limit: number, lastQuote: number): number | undefined {
  let depth = 0;
  for (let index = at; index < limit; ) {
    const byte = bytes[index++] as number;
    if (byte === quote) {
      if (index > lastQuote) return undefined;
      for (; ; index += 4) {
        if (bytes[index] === quote) break;
        if (bytes[index + 1] === quote) {
          index += 1;
          break;
        }
        if (bytes[index + 2] === quote) {
          index += 2;
          break;
        }
        if (bytes[index + 3] === quote) {
          index += 3;
          break;
        }
      }
      index++;
    } else {
      const shape = byte | bracket;
      if (shape === openObject) depth++;
      else if (shape === closeObject && --depth === 0) return index;
    }
  }
  return undefined;
}

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
