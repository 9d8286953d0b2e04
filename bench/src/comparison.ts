/** One quantity of ours beside that of a peer, measured in one run. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** Undefined where the peer's programs are not on this machine. */
  readonly theirs: number | undefined;
  /** Whether more is better: rates; else less is: times and sizes. */
  readonly moreIsBetter: boolean;
  /** How many times better it is meant to be; infinity where there should be none at all. */
  readonly wanted: number;
}

/** How many times better ours is; below 1 it is worse. */
function advantageOf({ ours, theirs, moreIsBetter }: Comparison): number | undefined {
  if (theirs === undefined) return undefined;
  if (ours === theirs) return ours === 0 ? Number.POSITIVE_INFINITY : 1;
  return moreIsBetter ? ours / theirs : theirs / ours;
}

/** A table with the ratio of each line, and whether it is what it is meant to be. */
export function comparisonTable(title: string, peer: string, comparisons: readonly Comparison[]): string {
  const heads = ["ours", peer, "ratio", "wanted"];
  const width = Math.max(14, peer.length + 2);
  const row = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(60)}${cells.map((cell) => cell.padStart(width)).join("")}`;
  const lines = [row(title, heads)];
  for (const one of comparisons) {
    const advantage = advantageOf(one);
    const isMissed = advantage !== undefined && advantage < one.wanted;
    const cells = [
      amount(one.ours),
      one.theirs === undefined ? "-" : amount(one.theirs),
      advantage === undefined || !Number.isFinite(advantage) ? "-" : `${advantage.toFixed(2)}x`,
      `${Number.isFinite(one.wanted) ? `${one.wanted.toFixed(2)}x` : "none"}${isMissed ? " MISSED" : ""}`,
    ];
    lines.push(row(`${one.name}, ${one.unit}`, cells));
  }
  return lines.join("\n");
}

function amount(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
