/**
 * A set of characters, by a JavaScript class of one character: `[a-z\p{L}]`.
 *
 * One character is held against one class, so that JavaScript's own matcher cannot backtrack. ASCII is remembered.
 */
export class RuneSet {
  readonly #expression: RegExp;
  /** 0 not asked yet, 1 no, 2 yes. */
  readonly #ascii = new Uint8Array(128);

  /** `members` is the inside of a class in JavaScript's `u` syntax; an empty one has no members. */
  constructor(members: string, { negated = false, foldCase = false } = {}) {
    this.#expression = new RegExp(`^[${negated ? "^" : ""}${members}]$`, foldCase ? "iu" : "u");
  }

  has(rune: number): boolean {
    if (rune >= 128) return this.#expression.test(String.fromCodePoint(rune));
    const known = this.#ascii[rune];
    if (known !== undefined && known !== 0) return known === 2;
    const found = this.#expression.test(String.fromCodePoint(rune));
    this.#ascii[rune] = found ? 2 : 1;
    return found;
  }
}

/** One character as a member of a class. */
export function member(rune: number): string {
  return `\\u{${rune.toString(16)}}`;
}
