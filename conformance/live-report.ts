/** The result of comparing one area. */
export interface AreaResult {
  readonly area: string;
  readonly cases: number;
  readonly requests: number;
  /** Requests with equal responses. */
  readonly same: number;
  /** Requests whose responses have a known difference. */
  readonly known: number;
  /** Requests whose responses have an unknown difference. */
  readonly unexplained: number;
  /** Requests after a difference that leaves the servers in different states. */
  readonly notCompared: number;
}

/** What a comparison found: counts by area, and a description of each unexplained difference. */
export interface LiveResult {
  readonly areas: readonly AreaResult[];
  readonly unexplained: readonly string[];
}

const columns = ["cases", "requests", "same", "known", "unexplained", "notCompared"] as const;
const titles = ["cases", "requests", "same", "known different", "unexplained", "not compared"] as const;

/** The sum over areas. */
export function total(results: readonly AreaResult[]): AreaResult {
  const sum = { cases: 0, requests: 0, same: 0, known: 0, unexplained: 0, notCompared: 0 };
  for (const one of results) for (const column of columns) sum[column] += one[column];
  return { area: "total", ...sum };
}

/** The results as a plain-text table, a row for each area and one for the total. */
export function resultTable(results: readonly AreaResult[]): string {
  const rows = [...results, total(results)].map((one) => [one.area, ...columns.map((column) => String(one[column]))]);
  const all = [["area", ...titles], ...rows];
  const widths = all[0]?.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
        .join("  "),
    )
    .join("\n");
}
