/** A pattern that RE2 does not take, in the words of Go's parser. */
export class PatternError extends Error {
  override readonly name = "PatternError";

  constructor(what: string, expression: string) {
    super(`error parsing regexp: ${what}: \`${expression}\``);
  }
}
