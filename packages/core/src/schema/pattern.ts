/** Longest pattern that is taken. */
const maxPatternLength = 10_000;
/** RE2's own bound of `{n,m}`. */
const maxRepeat = 1_000;

const posixClasses: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7f",
  blank: "\\t ",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/** A pattern that can be matched, or the reason why it cannot. */
export type CompiledPattern =
  | { readonly kind: "pattern"; matches(text: string): boolean }
  | { readonly kind: "refused"; readonly reason: string };

const cache = new Map<string, CompiledPattern>();
const maxCached = 1_000;

/**
 * Compiles a pattern of a schema. The server's dialect is RE2: what it has and JavaScript spells otherwise is
 * translated; what RE2 lacks (look-around, back references), or what cannot be translated, is refused.
 */
export function compilePattern(pattern: string): CompiledPattern {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (cache.size >= maxCached) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): CompiledPattern {
  if (pattern.length > maxPatternLength) return refused("expression too large");
  try {
    const { source, flags } = translate(pattern);
    const expression = new RegExp(source, `u${flags}`);
    return { kind: "pattern", matches: (text) => expression.test(text) };
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

function refused(reason: string): CompiledPattern {
  return { kind: "refused", reason: reason.startsWith("error parsing") ? reason : `error parsing regexp: ${reason}` };
}

function translate(pattern: string): { source: string; flags: string } {
  const leading = /^\(\?([is]+)\)/.exec(pattern);
  const flags = [...new Set(leading?.[1] ?? "")].join("");
  let source = "";
  let index = leading?.[0].length ?? 0;
  while (index < pattern.length) {
    const rest = pattern.slice(index, index + 64);
    const [taken, written] = token(rest, pattern, index, flags);
    source += written;
    index += taken;
  }
  return { source, flags };
}

/** How many characters the next token takes, and how JavaScript writes it. */
function token(rest: string, pattern: string, index: number, flags: string): [number, string] {
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  switch (character) {
    case "\\":
      return escapeSequence(rest, false);
    case "[":
      return characterClass(pattern, index);
    case "(": {
      const group = /^\((?:\?(?::|P?<[A-Za-z_]\w*>))?/.exec(rest)?.[0] ?? "(";
      if (group === "(" && rest.startsWith("(?")) {
        throw new Error(`error parsing regexp: invalid or unsupported Perl syntax: \`${rest.slice(0, 3)}\``);
      }
      return [group.length, group.replace("?P<", "?<")];
    }
    case "{": {
      const repeat = /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
      if (repeat === null) return [1, "\\{"];
      if (Number(repeat[1]) > maxRepeat || Number(repeat[2] ?? 0) > maxRepeat) {
        throw new Error(`error parsing regexp: invalid repeat count: \`${repeat[0]}\``);
      }
      return [repeat[0].length, repeat[0]];
    }
    case "}":
    case "]":
      return [1, `\\${character}`];
    case ".":
      return [1, flags.includes("s") ? "[^]" : "[^\\n]"];
    default:
      return [character.length, character];
  }
}

function escapeSequence(rest: string, inClass: boolean): [number, string] {
  const next = rest.charAt(1);
  if (/[dDwWfnrtv]/.test(next)) return [2, `\\${next}`];
  if (!inClass && /[bB]/.test(next)) return [2, `\\${next}`];
  if (next === "s") return [2, inClass ? "\\t\\n\\f\\r " : "[\\t\\n\\f\\r ]"];
  if (next === "S" && !inClass) return [2, "[^\\t\\n\\f\\r ]"];
  if (next === "A" && !inClass) return [2, "^"];
  if (next === "z" && !inClass) return [2, "$"];
  if (next === "a") return [2, "\\x07"];
  const hex = /^\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/.exec(rest);
  if (hex !== null) return [hex[0].length, `\\u{${hex[1] ?? hex[2]}}`];
  const property = /^\\([pP])(?:([A-Z])|\{(\^?)(\w+)\})/.exec(rest);
  if (property !== null) {
    const name = property[2] ?? property[4] ?? "";
    const letter = property[3] === "^" ? (property[1] === "p" ? "P" : "p") : property[1];
    return [property[0].length, `\\${letter}{${name.length > 2 ? `Script=${name}` : name}}`];
  }
  if (next === "") throw new Error("error parsing regexp: trailing backslash at end of expression: ``");
  if (/[0-9A-Za-z]/.test(next) || next.charCodeAt(0) > 127) {
    throw new Error(`error parsing regexp: invalid escape sequence: \`\\${next}\``);
  }
  // RE2 lets every punctuation be escaped; JavaScript only what has a meaning.
  return [2, /[\^$\\.*+?()[\]{}|/]/.test(next) || (inClass && next === "-") ? `\\${next}` : next];
}

function characterClass(pattern: string, start: number): [number, string] {
  let index = start + 1;
  let source = "[";
  if (pattern[index] === "^") {
    source += "^";
    index++;
  }
  for (let first = true; ; first = false) {
    const character = pattern.codePointAt(index);
    if (character === undefined)
      throw new Error(`error parsing regexp: missing closing ]: \`${pattern.slice(start)}\``);
    const text = String.fromCodePoint(character);
    if (text === "]" && !first) return [index + 1 - start, `${source}]`];
    const posix = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(index, index + 16));
    if (posix !== null) {
      const members = Object.hasOwn(posixClasses, posix[2] ?? "") ? posixClasses[posix[2] ?? ""] : undefined;
      if (members === undefined || posix[1] === "^") {
        throw new Error(`error parsing regexp: invalid character class range: \`${posix[0]}\``);
      }
      source += members;
      index += posix[0].length;
    } else if (text === "\\") {
      const [taken, written] = escapeSequence(pattern.slice(index, index + 64), true);
      source += written;
      index += taken;
    } else {
      source += text === "[" || text === "]" ? `\\${text}` : text;
      index += text.length;
    }
  }
}
