/** Consecutive indexes, both ends included. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Sorted completion indexes as intervals, because a Job may have 100,000 of them. */
export type IndexSet = readonly Interval[];

/** Parses indexes such as `1,3-5`, below `completions`. Ignores invalid parts. */
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

/** Formats indexes for {@link parseIndexes}. Intervals of two are written as `1,2`. */
export function formatIndexes(indexes: IndexSet): string {
  return indexes
    .map(({ first, last }) => (last === first ? `${first}` : `${first}${last === first + 1 ? "," : "-"}${last}`))
    .join(",");
}

/** The union of both. */
export function mergeIndexes(one: IndexSet, other: IndexSet): IndexSet {
  const merged: Interval[] = [];
  for (const interval of [...one, ...other].sort((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before === undefined || interval.first > before.last + 1) merged.push(interval);
    else if (interval.last > before.last) merged[merged.length - 1] = { first: before.first, last: interval.last };
  }
  return merged;
}

/** The set of these indexes, in any order. */
export function indexSet(indexes: Iterable<number>): IndexSet {
  return mergeIndexes(
    [...indexes].map((index) => ({ first: index, last: index })),
    [],
  );
}

/** The number of indexes. */
export function countIndexes(indexes: IndexSet): number {
  return indexes.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** Whether the set contains an index. */
export function hasIndex(indexes: IndexSet, index: number): boolean {
  return indexes.some(({ first, last }) => first <= index && index <= last);
}

/** The size of the intersection. */
export function countCommon(one: IndexSet, other: IndexSet): number {
  let count = 0;
  for (const a of one)
    for (const b of other) count += Math.max(0, Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1);
  return count;
}

/** The first `count` indexes below `completions` that the set does not contain. */
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
