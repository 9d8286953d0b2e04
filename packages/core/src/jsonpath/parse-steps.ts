import { JsonPathError } from "./json-path-error.js";

/** One step of a path. */
export type Step =
  /** One or several fields, each as a path of names: kubectl reads `['a.b']` as `.a.b`, and `['a\\.b']` as one name. */
  | { readonly kind: "fields"; readonly paths: readonly (readonly string[])[] }
  | { readonly kind: "indices"; readonly indices: readonly number[] }
  | {
      readonly kind: "slice";
      readonly start: number | undefined;
      readonly end: number | undefined;
      readonly step: number;
    }
  | { readonly kind: "wildcard" }
  | { readonly kind: "descend" }
  | { readonly kind: "filter"; readonly path: readonly Step[]; readonly comparison: Comparison | undefined };

/** The operator and the right operand of a filter. */
export interface Comparison {
  readonly operator: "==" | "!=" | "<" | "<=" | ">" | ">=";
  readonly value: string | number | boolean | null;
}

const maxLength = 10_000;
/** Maximum nesting of filters. */
const maxNesting = 10;

/** Splits a path into steps. Throws a {@link JsonPathError} if it does not parse. */
export function parseSteps(text: string): Step[] {
  if (text.length > maxLength) throw new JsonPathError(text, `it is longer than ${maxLength} characters`);
  let path = text.trim();
  if (path.startsWith("{")) {
    if (!path.endsWith("}")) throw new JsonPathError(text, "unclosed action");
    path = path.slice(1, -1).trim();
  }
  return new Reader(path, text, 0).steps();
}

class Reader {
  readonly #path: string;
  /** The complete input, for error messages. */
  readonly #text: string;
  readonly #nesting: number;
  #position = 0;

  constructor(path: string, text: string, nesting: number) {
    this.#path = path;
    this.#text = text;
    this.#nesting = nesting;
    if (nesting > maxNesting) throw this.#error("filters are nested too deep");
  }

  steps(): Step[] {
    if (this.#path.startsWith("$") || this.#path.startsWith("@")) this.#position = 1;
    const steps: Step[] = [];
    while (this.#position < this.#path.length) {
      const character = this.#path.charAt(this.#position);
      if (character === "[") steps.push(this.#bracket());
      else if (character === ".") this.#dot(steps);
      else if (steps.length === 0) steps.push(this.#name());
      else throw this.#error(`unexpected "${character}" at position ${this.#position}`);
    }
    return steps;
  }

  #dot(steps: Step[]): void {
    this.#position++;
    if (this.#path.charAt(this.#position) === ".") {
      this.#position++;
      steps.push({ kind: "descend" });
      if (this.#position >= this.#path.length) throw this.#error('nothing follows ".."');
      if (this.#path.charAt(this.#position) === ".") throw this.#error('unexpected "." after ".."');
    }
    // A lone dot selects the whole value; a dot before a bracket has no effect.
    if (this.#position >= this.#path.length || this.#path.charAt(this.#position) === "[") return;
    steps.push(this.#name());
  }

  #name(): Step {
    const match = /^(?:\\.|[^\s.[\]\\"'(){}?@$|,*=<>!])+/u.exec(this.#path.slice(this.#position));
    if (match === null) {
      if (this.#path.charAt(this.#position) === "*") {
        this.#position++;
        return { kind: "wildcard" };
      }
      throw this.#error(`unexpected "${this.#path.charAt(this.#position)}" at position ${this.#position}`);
    }
    this.#position += match[0].length;
    return { kind: "fields", paths: [[match[0].replace(/\\(.)/gu, "$1")]] };
  }

  #bracket(): Step {
    const inner = this.#untilClosed();
    if (inner.startsWith("?")) return this.#filter(inner.slice(1).trim());
    if (inner === "*") return { kind: "wildcard" };
    if (/^['"]/.test(inner)) return { kind: "fields", paths: this.#quotedPaths(inner) };
    const bounds = /^(-?\d{1,9})?:(-?\d{1,9})?(?::(\d{1,9}))?$/.exec(inner);
    if (bounds !== null) {
      const number = (part: string | undefined): number | undefined => (part === undefined ? undefined : Number(part));
      const step = number(bounds[3]) ?? 1;
      if (step < 1) throw this.#error("the step of a slice must be 1 or more");
      return { kind: "slice", start: number(bounds[1]), end: number(bounds[2]), step };
    }
    const parts = inner.split(",").map((part) => part.trim());
    if (parts.every((part) => /^-?\d{1,9}$/.test(part))) return { kind: "indices", indices: parts.map(Number) };
    throw this.#error(`invalid array index "${inner.slice(0, 80)}"`);
  }

  /** The content up to the matching bracket, ignoring brackets in quotes. */
  #untilClosed(): string {
    const start = this.#position + 1;
    let depth = 0;
    let quote = "";
    for (let index = this.#position; index < this.#path.length; index++) {
      const character = this.#path.charAt(index);
      if (quote !== "") {
        if (character === "\\") index++;
        else if (character === quote) quote = "";
      } else if (character === "'" || character === '"') quote = character;
      else if (character === "[") depth++;
      else if (character === "]" && --depth === 0) {
        this.#position = index + 1;
        return this.#path.slice(start, index).trim();
      }
    }
    throw this.#error("unterminated array");
  }

  #quotedPaths(inner: string): string[][] {
    const paths: string[][] = [];
    const pattern = /\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")\s*(,|$)/suy;
    for (let match = pattern.exec(inner); match !== null; match = pattern.exec(inner)) {
      const names = (match[1] ?? match[2] ?? "").split(/(?<!\\)\./u);
      paths.push(names.map((name) => name.replace(/\\(.)/gsu, "$1")));
      if (match[3] === "") return paths;
    }
    throw this.#error(`invalid name "${inner.slice(0, 80)}"`);
  }

  #filter(text: string): Step {
    if (!text.startsWith("(") || !text.endsWith(")")) throw this.#error("unterminated filter");
    const inner = text.slice(1, -1).trim();
    const operator = operatorIn(inner);
    const left = operator === undefined ? inner : inner.slice(0, operator.index).trim();
    if (!left.startsWith("@")) throw this.#error(`a filter must start with "@", found "${left.slice(0, 80)}"`);
    const path = new Reader(left, this.#text, this.#nesting + 1).steps();
    if (operator === undefined) return { kind: "filter", path, comparison: undefined };
    const right = inner.slice(operator.index + operator.text.length).trim();
    return { kind: "filter", path, comparison: { operator: operator.text, value: this.#literal(right) } };
  }

  #literal(text: string): string | number | boolean | null {
    if (/^(['"])(?:\\.|(?!\1)[^\\])*\1$/su.test(text)) return text.slice(1, -1).replace(/\\(.)/gsu, "$1");
    if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
    if (text === "true" || text === "false") return text === "true";
    if (text === "null") return null;
    throw this.#error(`a filter compares with a string, a number or a boolean, found "${text.slice(0, 80)}"`);
  }

  #error(why: string): JsonPathError {
    return new JsonPathError(this.#text, why);
  }
}

/** The operator of a filter: the first one outside of quotes and brackets. */
function operatorIn(text: string): { readonly index: number; readonly text: Comparison["operator"] } | undefined {
  let quote = "";
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (quote !== "") {
      if (character === "\\") index++;
      else if (character === quote) quote = "";
    } else if (character === "\\") index++;
    else if (character === "'" || character === '"') quote = character;
    else if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (depth === 0) {
      for (const operator of ["==", "!=", "<=", ">=", "<", ">"] as const) {
        if (text.startsWith(operator, index)) return { index, text: operator };
      }
    }
  }
  return undefined;
}
