import type { JsonValue } from "@kubewright/core/json";
import { goStruct } from "./go-struct.js";

/** Longer texts are not compared: finding what they share grows with the square of their length. */
const maxLines = 4_000;
/** From this length on, lines that are everywhere are no landmarks. */
const longText = 200;
const context = 3;

/**
 * What changed between two values of a real server's own type (`core.PodSpec`), as it tells it in refusals: lines of indented JSON, those that
 * went and came with three around them. Empty for values that are very large.
 */
export function goDiff(old: JsonValue | undefined, now: JsonValue | undefined, type: string): string {
  const [before, after] = [linesOf(goStruct(old, type)), linesOf(goStruct(now, type))];
  if (before.length > maxLines || after.length > maxLines) return "";
  return hunks(edits(before, after))
    .map((hunk) => printed(hunk, before, after))
    .join("");
}

function linesOf(value: JsonValue): string[] {
  const text = JSON.stringify(value, null, 1).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return text.split("\n");
}

/** Lines that are the same in both, or not: from here to there in the old text, and in the new one. */
interface Edit {
  readonly isSame: boolean;
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Where each line of the new text stands, but for lines that are everywhere. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, at) => {
    const known = places.get(line);
    if (known) known.push(at);
    else places.set(line, [at]);
  });
  if (lines.length >= longText)
    for (const [line, at] of places) if (at.length > Math.floor(lines.length / 100) + 1) places.delete(line);
  return places;
}

interface Match {
  readonly at: number;
  readonly newAt: number;
  readonly size: number;
}

/** The longest run of lines that both have in these ranges, the first of several. */
function longestMatch(
  before: readonly string[],
  after: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { from, to, newFrom, newTo }: Omit<Edit, "isSame">,
): Match {
  let [at, newAt, size] = [from, newFrom, 0];
  let lengths = new Map<number, number>();
  for (let line = from; line < to; line++) {
    const next = new Map<number, number>();
    for (const place of places.get(before[line] ?? "") ?? []) {
      if (place < newFrom) continue;
      if (place >= newTo) break;
      const length = (lengths.get(place - 1) ?? 0) + 1;
      next.set(place, length);
      if (length > size) [at, newAt, size] = [line - length + 1, place - length + 1, length];
    }
    lengths = next;
  }
  // Lines that are no landmarks still belong to it.
  while (at > from && newAt > newFrom && before[at - 1] === after[newAt - 1]) {
    at--;
    newAt--;
    size++;
  }
  while (at + size < to && newAt + size < newTo && before[at + size] === after[newAt + size]) size++;
  return { at, newAt, size };
}

/** The whole of both texts, as runs that are the same and runs that are not. */
function edits(before: readonly string[], after: readonly string[]): Edit[] {
  const places = placesOf(after);
  const matches: Match[] = [];
  const ranges = [{ from: 0, to: before.length, newFrom: 0, newTo: after.length }];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const match = longestMatch(before, after, places, range);
    if (match.size === 0) continue;
    matches.push(match);
    ranges.push({ from: range.from, to: match.at, newFrom: range.newFrom, newTo: match.newAt });
    ranges.push({
      from: match.at + match.size,
      to: range.to,
      newFrom: match.newAt + match.size,
      newTo: range.newTo,
    });
  }
  matches.sort((a, b) => a.at - b.at);
  matches.push({ at: before.length, newAt: after.length, size: 0 });
  const result: Edit[] = [];
  let [from, newFrom] = [0, 0];
  for (const { at, newAt, size } of matches) {
    if (at > from || newAt > newFrom) result.push({ isSame: false, from, to: at, newFrom, newTo: newAt });
    const last = result.at(-1);
    // Two runs that are the same and touch are one.
    if (last?.isSame && size > 0) result[result.length - 1] = { ...last, to: at + size, newTo: newAt + size };
    else if (size > 0) result.push({ isSame: true, from: at, to: at + size, newFrom: newAt, newTo: newAt + size });
    [from, newFrom] = [at + size, newAt + size];
  }
  return result;
}

/** Changes with what is around them; those that are near each other stand together. */
function hunks(all: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = [];
  let group: Edit[] = [];
  for (const [index, edit] of all.entries()) {
    if (!edit.isSame) {
      group.push(edit);
      continue;
    }
    const length = edit.to - edit.from;
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    const head = {
      ...edit,
      to: edit.from + Math.min(context, length),
      newTo: edit.newFrom + Math.min(context, length),
    };
    const tail = {
      ...edit,
      from: edit.to - Math.min(context, length),
      newFrom: edit.newTo - Math.min(context, length),
    };
    if (isFirst) group.push(tail);
    else if (isLast) group.push(head);
    else if (length > 2 * context) {
      groups.push([...group, head]);
      group = [tail];
    } else group.push(edit);
  }
  groups.push(group);
  return groups.filter((one) => one.some(({ isSame }) => !isSame));
}

function printed(hunk: readonly Edit[], before: readonly string[], after: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (!first || !last) return "";
  const lines = [`@@ -${range(first.from, last.to)} +${range(first.newFrom, last.newTo)} @@`];
  for (const { isSame, from, to, newFrom, newTo } of hunk) {
    lines.push(...before.slice(from, to).map((line) => `${isSame ? " " : "-"}${line}`));
    if (!isSame) lines.push(...after.slice(newFrom, newTo).map((line) => `+${line}`));
  }
  return `${lines.join("\n")}\n`;
}

function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}
