/** One quantity of the embedded cluster beside that of the real one, measured in one run. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly embedded: number;
  /** Undefined where the real programs are not on this machine. */
  readonly real: number | undefined;
  /** Whether more is better: rates; else less is: times and sizes. */
  readonly moreIsBetter: boolean;
  /** How many times better it is meant to be. */
  readonly wanted: number;
}

/** How many times better the embedded cluster is; below 1 it is worse. */
function advantageOf({ embedded, real, moreIsBetter }: Comparison): number | undefined {
  if (real === undefined) return undefined;
  return moreIsBetter ? embedded / real : real / embedded;
}

/** A table with the ratio of each line, and whether it is what it is meant to be. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const lines = [
    `${"Cluster".padEnd(52)}${["embedded", "real", "ratio", "wanted"].map((head) => head.padStart(12)).join("")}`,
  ];
  for (const one of comparisons) {
    const advantage = advantageOf(one);
    const cells = [
      one.embedded.toFixed(one.embedded < 100 ? 1 : 0),
      one.real === undefined ? "-" : one.real.toFixed(one.real < 100 ? 1 : 0),
      advantage === undefined ? "-" : `${advantage.toFixed(1)}x`,
      `${one.wanted}x${advantage !== undefined && advantage < one.wanted ? " MISSED" : ""}`,
    ];
    lines.push(`${`${one.name}, ${one.unit}`.padEnd(52)}${cells.map((cell) => cell.padStart(12)).join("")}`);
  }
  return lines.join("\n");
}
