/** How many are named at most: enough to mend a body, too few to fill an answer. */
const limit = 100;

/** One open object or list on the way to the current place. */
interface Level {
  readonly path: string;
  /** The keys so far; undefined for a list. */
  readonly keys: Set<string> | undefined;
  index: number;
}

/**
 * The paths of fields that stand twice in one object of a JSON text, which `JSON.parse` does not tell.
 *
 * The text must be valid JSON. Reads strings and brackets only, in one pass without recursion.
 */
export function duplicateFields(text: string): string[] {
  const found: string[] = [];
  const levels: Level[] = [];
  let key: string | undefined;
  for (let at = 0; at < text.length && found.length < limit; at++) {
    const level = levels.at(-1);
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at);
        // A text that a colon follows is a key; in valid JSON nothing else can.
        if (level?.keys && isKey(text, end)) {
          key = JSON.parse(text.slice(at, end)) as string;
          if (level.keys.has(key)) found.push(join(level.path, key));
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
  return found;
}

function pathOf(level: Level | undefined, key: string | undefined): string {
  if (!level) return "";
  return level.keys ? join(level.path, key ?? "") : `${level.path}[${level.index}]`;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return text[at] === ":";
}
