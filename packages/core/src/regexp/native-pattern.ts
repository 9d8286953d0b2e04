const literal = /[A-Za-z0-9 _:/@,#=~%&;<>!"'-]|\\[.\\/+*?()[\]{}|^$dw-]/y;
/** A class of single characters and ranges, whose meaning is the same in RE2 and in JavaScript. */
const characterClass = /\[\^?-?(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9_ .:/@+*,]|\\[\\.\]/dw-])+-?\]/y;
const quantifier = /[*+?]|\{(\d+)(,(\d*))?\}/y;
const opening = /\((?:\?:)?/y;

/** Optional parts double the number of ways to match, so there may be only a few. */
const maxOptional = 3;

/**
 * The same pattern for JavaScript's engine, which is several times faster than RE2; undefined if it could take more than linear time there,
 * or mean something else.
 *
 * The pattern is anchored at the start of the text, and at most one part of it has a variable length, besides up to three optional ones. So
 * there are at most 8 ways to match for each length of that part, and each reads a fixed number of characters.
 */
export function nativePattern(source: string): RegExp | undefined {
  if (!source.startsWith("^")) return undefined;
  let at = 1;
  let variable = 0;
  let optional = 0;
  let depth = 0;
  const take = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = at;
    const found = token.exec(source);
    if (found !== null) at += found[0].length;
    return found;
  };
  while (at < source.length) {
    if (source.charAt(at) === "$") {
      if (at !== source.length - 1 || depth > 0) return undefined;
      break;
    }
    if (take(opening) !== null) {
      depth++;
      continue;
    }
    const closes = source.charAt(at) === ")" && depth > 0;
    if (closes) {
      at++;
      depth--;
    } else if (take(literal) === null && take(characterClass) === null) return undefined;
    const repeated = take(quantifier);
    if (repeated === null) continue;
    const [whole, least, comma, most] = repeated;
    // A second quantifier would make it lazy or possessive.
    if ("*+?{".includes(source.charAt(at) || " ")) return undefined;
    if (whole === "?") optional++;
    else if (closes) return undefined;
    else if (comma !== undefined ? most !== least : least === undefined) variable++;
  }
  if (depth > 0 || variable > 1 || optional > maxOptional) return undefined;
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}
