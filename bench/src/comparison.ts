import { short, spread } from "./spread.js";

/** One measurement of ours and of a peer, taken in one run. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** Undefined if the peer is not installed. */
  readonly theirs: number | undefined;
  /** True for rates, false for times and sizes. */
  readonly moreIsBetter: boolean;
  /** How many times better ours should be; infinity if ours should be zero, 0 if there is no goal. */
  readonly goal: number;
  /** The values of which `ours` and `theirs` are the medians, where it was measured in alternating rounds. */
  readonly rounds?: { readonly ours: readonly number[]; readonly theirs: readonly number[] };
}

/** How many times better ours is; below 1 it is worse. */
function advantageOf({ ours, theirs, moreIsBetter }: Comparison): number | undefined {
  if (theirs === undefined) return undefined;
  if (ours === theirs) return ours === 0 ? Number.POSITIVE_INFINITY : 1;
  return moreIsBetter ? ours / theirs : theirs / ours;
}

/** A table with the ratio of each line, and whether it meets its goal. */
export function comparisonTable(title: string, peer: string, comparisons: readonly Comparison[]): string {
  const heads = ["ours", peer, "ratio", "goal"];
  const width = Math.max(comparisons.some(({ rounds }) => rounds) ? 22 : 14, peer.length + 2);
  const row = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(60)}${cells.map((cell) => cell.padStart(width)).join("")}`;
  const lines = [row(title, heads)];
  for (const one of comparisons) {
    const advantage = advantageOf(one);
    const isMissed = advantage !== undefined && advantage < one.goal;
    const cells = [
      one.rounds ? spread(one.rounds.ours) : short(one.ours),
      one.rounds ? spread(one.rounds.theirs) : one.theirs === undefined ? "-" : short(one.theirs),
      advantage === undefined || !Number.isFinite(advantage) ? "-" : `${advantage.toFixed(2)}x`,
      `${Number.isFinite(one.goal) && one.goal > 0 ? `${one.goal.toFixed(2)}x` : "none"}${isMissed ? " MISSED" : ""}`,
    ];
    lines.push(row(`${one.name}, ${one.unit}`, cells));
  }
  return lines.join("\n");
}
