import { isOperatorError, OperatorError } from "../errors/index.js";
import {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
  printRequirement,
  requirementMatches,
} from "./label-requirement.js";

/** Selects objects by labels. */
export interface LabelSelector {
  /** Sorted by key; all must match. An empty list selects everything. */
  readonly requirements: readonly LabelRequirement[];
  /** Whether an object with these labels is selected. */
  matches(labels: Labels | undefined): boolean;
  /** The selector as a string that parses to the same selector. */
  toString(): string;
}

/**
 * Parses a label selector: `a=b, c!=d, e in (f,g), h notin (i), j, !k, l>1`.
 *
 * Throws an API_BAD_REQUEST error with kube-apiserver's message if it does not parse.
 */
export function parseLabelSelector(text: string): LabelSelector {
  return selectorOf(new Parser(scan(text)).parse());
}

/** `metav1.LabelSelector`, for instance in a Deployment's `spec.selector`. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?:
    | readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[] | undefined;
      }[]
    | undefined;
}

const expressionOperators: ReadonlyMap<string, LabelOperator> = new Map<string, LabelOperator>([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/**
 * Converts a `metav1.LabelSelector`. An empty one selects everything; undefined selects nothing.
 *
 * Throws an API_BAD_REQUEST error if a key, an operator or a value is invalid.
 */
export function labelSelectorFrom(selector: LabelSelectorObject | undefined): LabelSelector {
  if (selector === undefined) {
    return { requirements: [], matches: () => false, toString: () => "" };
  }
  const requirements = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    labelRequirement(key, "=", [value]),
  );
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const known = expressionOperators.get(operator);
    if (known === undefined) {
      throw new OperatorError("API_BAD_REQUEST", `"${operator}" is not a valid label selector operator`);
    }
    requirements.push(labelRequirement(key, known, values));
  }
  return selectorOf(requirements);
}

function selectorOf(unsorted: readonly LabelRequirement[]): LabelSelector {
  const requirements = [...unsorted].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return {
    requirements,
    matches: (labels) => requirements.every((requirement) => requirementMatches(requirement, labels ?? {})),
    toString: () => requirements.map(printRequirement).join(","),
  };
}

type TokenKind =
  | "identifier"
  | "end"
  | "error"
  | ")"
  | ","
  | "!"
  | "=="
  | "="
  | ">"
  | "in"
  | "<"
  | "!="
  | "notin"
  | "(";

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const symbols: ReadonlySet<string> = new Set([")", ",", "!", "==", "=", ">", "<", "!=", "("]);

function isSymbol(text: string): text is ")" | "," | "!" | "==" | "=" | ">" | "<" | "!=" | "(" {
  return symbols.has(text);
}

function scan(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /[ \t\r\n]*(?:([=!(),><]+)|([^=!(),>< \t\r\n]+))/gy;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, special, name] = match;
    if (name !== undefined) {
      tokens.push({ kind: name === "in" || name === "notin" ? name : "identifier", text: name });
    } else if (special !== undefined) {
      const two = special.slice(0, 2);
      const taken = special.length > 1 && isSymbol(two) ? two : special.slice(0, 1);
      pattern.lastIndex -= special.length - taken.length;
      tokens.push(isSymbol(taken) ? { kind: taken, text: taken } : { kind: "error", text: taken });
    }
  }
  tokens.push({ kind: "end", text: "" });
  return tokens;
}

const binary: ReadonlyMap<TokenKind, LabelOperator> = new Map<TokenKind, LabelOperator>([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === "end") return requirements;
      if (token.kind !== "identifier" && token.kind !== "!") {
        throw syntax(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      try {
        requirements.push(this.#requirement());
      } catch (error) {
        if (!isOperatorError(error)) throw error;
        throw syntax(`unable to parse requirement: ${error.message}`);
      }
      const separator = this.#take();
      if (separator.kind === "end") return requirements;
      if (separator.kind !== ",") throw syntax(`found '${separator.text}', expected: ',' or 'end of string'`);
      const following = this.#peek();
      if (following.kind !== "identifier" && following.kind !== "!") {
        throw syntax(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    let token = this.#take();
    const isNegated = token.kind === "!";
    if (isNegated) token = this.#take();
    if (token.kind !== "identifier") throw syntax(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const problems = labelRequirementKeyProblem(key);
    if (problems !== undefined) throw syntax(problems);
    const next = this.#peek();
    if (isNegated) return labelRequirement(key, "!", []);
    if (next.kind === "end" || next.kind === ",") return labelRequirement(key, "exists", []);
    // "in" and "notin" are operators only here; elsewhere they are identifiers.
    const operatorToken = this.#take(true);
    const operator = binary.get(operatorToken.kind);
    if (operator === undefined) {
      throw syntax(`found '${operatorToken.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    const values = operator === "in" || operator === "notin" ? this.#values() : [this.#exactValue()];
    return labelRequirement(key, operator, values);
  }

  #exactValue(): string {
    const token = this.#peek();
    if (token.kind === "end" || token.kind === ",") return "";
    this.#take();
    if (token.kind === "identifier") return token.text;
    throw syntax(`found '${token.text}', expected: identifier`);
  }

  #values(): string[] {
    const open = this.#take();
    if (open.kind !== "(") throw syntax(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    const first = this.#position;
    // Nothing between two separators is the empty value.
    for (let isAfterSeparator = true; ; ) {
      const token = this.#take();
      if (token.kind === ")") {
        if (isAfterSeparator) values.push("");
        return values;
      }
      if (token.kind === ",") {
        if (isAfterSeparator) values.push("");
        isAfterSeparator = true;
      } else if (token.kind === "identifier" && isAfterSeparator) {
        values.push(token.text);
        isAfterSeparator = false;
      } else {
        const isFirst = this.#position === first + 1;
        const expected = isFirst ? "',', ')' or identifier" : isAfterSeparator ? "',', or identifier" : "',' or ')'";
        throw syntax(`found '${token.text}', expected: ${expected}`);
      }
    }
  }

  #peek(asOperator = false): Token {
    const token = this.#tokens[this.#position] ?? { kind: "end", text: "" };
    if (!asOperator && (token.kind === "in" || token.kind === "notin")) return { kind: "identifier", text: token.text };
    return token;
  }

  #take(asOperator = false): Token {
    const token = this.#peek(asOperator);
    this.#position++;
    return token;
  }
}

function labelRequirementKeyProblem(key: string): string | undefined {
  try {
    labelRequirement(key, "exists", []);
    return undefined;
  } catch (error) {
    return isOperatorError(error) ? error.message.replace(/^key: /, "<nil>: ") : undefined;
  }
}

function syntax(message: string): OperatorError {
  return new OperatorError("API_BAD_REQUEST", message);
}
