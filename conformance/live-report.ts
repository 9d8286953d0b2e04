/** What the comparison of one area came to. */
export interface AreaResult {
  readonly area: string;
  readonly cases: number;
  readonly requests: number;
  /** Requests that both servers answered the same. */
  readonly same: number;
  /** Requests whose answers differ as it is known. */
  readonly known: number;
  /** Requests whose answers differ, and nothing says why. */
  readonly unexplained: number;
  /** Requests after a difference that sends the servers different ways. */
  readonly notCompared: number;
}

/** What a comparison found: numbers by area, and each unexplained difference in words. */
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

/** The results as a table of text, a line for each area and one for all. */
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
