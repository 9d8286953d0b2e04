import type { DocumentField } from "../registry/index.js";

/** Maximum number of reported duplicates. */
const limit = 100;

/** An object or list that encloses the current character. */
interface Level {
  readonly path: string;
  /** The keys so far; undefined for a list. */
  readonly keys: Set<string> | undefined;
  index: number;
}

/**
 * The paths of duplicate fields in a JSON document, which `JSON.parse` does not report.
 *
 * The document must be valid JSON. Reads strings and brackets only, in one pass without recursion.
 */
export function duplicateFields(text: string): string[] {
  const found: string[] = [];
  scanFields(text, (level, key) => {
    if (level.keys?.has(key)) found.push(join(level.path, key));
    return found.length < limit;
  });
  return found;
}

/** All fields of a JSON document in its order. The document must be valid JSON. */
export function documentFields(text: string): DocumentField[] {
  const found: DocumentField[] = [];
  scanFields(text, (level, key) => {
    found.push({ path: join(level.path, key), isDuplicate: level.keys?.has(key) === true });
    return true;
  });
  return found;
}

/** Calls `visit` for each key until it returns false. */
function scanFields(text: string, visit: (level: Level, key: string) => boolean): void {
  const levels: Level[] = [];
  let key: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1);
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at);
        // In valid JSON only keys have a colon after them.
        if (level?.keys && isKey(text, end)) {
          const quoted = text.slice(at, end);
          key = quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
          if (!visit(level, key)) return;
          level.keys.add(key);
        }
        at = end - 1;
        break;
      }
      case "{":
      case "[":
        levels.push({ path: pathOf(level, key), keys: text[at] === "{" ? new Set() : undefined, index: 0 });
        break;
      case "}":
      case "]":
        levels.pop();
        break;
      case ",":
        if (level) level.index++;
        break;
    }
  }
}

function pathOf(level: Level | undefined, key: string | undefined): string {
  if (!level) return "";
  return level.keys ? join(level.path, key ?? "") : `${level.path}[${level.index}]`;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** The end of the string that starts at `start`. Long strings are skipped from quote to quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (whitespace.includes(text[at] ?? ":")) at++;
  return text[at] === ":";
}

const whitespace = " \t\r\n";
