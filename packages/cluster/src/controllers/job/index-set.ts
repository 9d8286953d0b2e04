/** Indexes that follow each other, both ends included. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Indexes of a Job in rising order, kept as intervals: a Job may have 100,000 of them. */
export type IndexSet = readonly Interval[];

/** The indexes that a text such as `1,3-5` names, below `completions`. Parts that cannot be read are left out. */
export function parseIndexes(text: string, completions: number): IndexSet {
  const found: Interval[] = [];
  if (text === "") return found;
  for (const part of text.split(",")) {
    const limits = part.split("-");
    const first = readInteger(limits[0]);
    if (first === undefined) continue;
    if (first >= completions) break;
    const last = limits.length > 1 ? readInteger(limits[1]) : first;
    if (last !== undefined) found.push({ first, last: Math.min(last, completions - 1) });
  }
  return mergeIndexes(found, []);
}

/** The text that {@link parseIndexes} reads; two neighbours are both named. */
export function formatIndexes(indexes: IndexSet): string {
  return indexes
    .map(({ first, last }) => (last === first ? `${first}` : `${first}${last === first + 1 ? "," : "-"}${last}`))
    .join(",");
}

/** All indexes of both. */
export function mergeIndexes(one: IndexSet, other: IndexSet): IndexSet {
  const merged: Interval[] = [];
  for (const interval of [...one, ...other].sort((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before === undefined || interval.first > before.last + 1) merged.push(interval);
    else if (interval.last > before.last) merged[merged.length - 1] = { first: before.first, last: interval.last };
  }
  return merged;
}

/** These indexes, in whatever order. */
export function indexSet(indexes: Iterable<number>): IndexSet {
  return mergeIndexes(
    [...indexes].map((index) => ({ first: index, last: index })),
    [],
  );
}

/** How many there are. */
export function countIndexes(indexes: IndexSet): number {
  return indexes.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** Whether it is one of them. */
export function hasIndex(indexes: IndexSet, index: number): boolean {
  return indexes.some(({ first, last }) => first <= index && index <= last);
}

/** How many are in both. */
export function countCommon(one: IndexSet, other: IndexSet): number {
  let count = 0;
  for (const a of one)
    for (const b of other) count += Math.max(0, Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1);
  return count;
}

/** The first `count` indexes below `completions` that are not among these. */
export function firstMissing(indexes: IndexSet, count: number, completions: number): readonly number[] {
  const missing: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...indexes, { first: completions, last: completions }]) {
    for (; candidate < Math.min(first, completions) && missing.length < count; candidate++) missing.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return missing;
}

function readInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^\+?\d{1,10}$/.test(text) ? Number(text) : undefined;
}
