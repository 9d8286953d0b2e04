import { OperatorError } from "../errors/index.js";

/** One requirement on a field. A missing field counts as the empty string. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Selects objects by fields. The server decides which fields a kind supports. */
export interface FieldSelector {
  /** All must match. An empty list selects everything. */
  readonly requirements: readonly FieldRequirement[];
  /** `get` returns the value of a field, undefined if the object does not have it. */
  matches(get: (field: string) => string | undefined): boolean;
  /** The selector as a string that parses to the same selector. */
  toString(): string;
}

/**
 * Parses a field selector: `metadata.name=x,status.phase!=Running`. A backslash escapes comma, equals sign and itself in values.
 *
 * Throws an API_BAD_REQUEST error with kube-apiserver's message if it does not parse.
 */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements = splitTerms(text)
    .filter((term) => term !== "")
    .sort()
    .map((term) => parseTerm(term, text));
  return {
    requirements,
    matches: (get) =>
      requirements.every(({ field, operator, value }) => ((get(field) ?? "") === value) === (operator === "=")),
    toString: () =>
      requirements
        .map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, "\\$&")}`)
        .join(","),
  };
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === ",") {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(term: string, whole: string): FieldRequirement {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
  if (match === null) {
    throw new OperatorError("API_BAD_REQUEST", `invalid selector: '${whole}'; can't understand '${term}'`);
  }
  const [, field = "", operator, value = ""] = match;
  return { field, operator: operator === "!=" ? "!=" : "=", value: unescapeValue(value) };
}

function unescapeValue(text: string): string {
  let value = "";
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === "," || character === "=") {
      // kube-apiserver prints the code of the character, not the character.
      throw new OperatorError(
        "API_BAD_REQUEST",
        `invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`,
      );
    }
    if (character !== "\\") {
      value += character;
      continue;
    }
    const escaped = text.charAt(++index);
    if (escaped === "" || !"\\,=".includes(escaped)) {
      throw new OperatorError("API_BAD_REQUEST", `invalid field selector: invalid escape sequence: \\${escaped}`);
    }
    value += escaped;
  }
  return value;
}
