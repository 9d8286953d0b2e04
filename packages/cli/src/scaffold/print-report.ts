import type { CommandStreams } from "../command-streams.js";
import type { ScaffoldReport } from "./write-scaffold.js";

/** What a scaffolding command did, for the user. */
export interface PrintedReport {
  readonly folder: string;
  readonly dryRun: boolean;
  readonly report: ScaffoldReport;
  /** The commands to run next. */
  readonly next: readonly string[];
  readonly format: string;
}

/** Prints what a scaffolding command did: one line per file, or one JSON object. */
export function printReport(out: CommandStreams["out"], { folder, dryRun, report, next, format }: PrintedReport): void {
  if (format === "json") {
    out.write(`${JSON.stringify({ folder, dryRun, ...report })}\n`);
    return;
  }
  const lines = [
    ...report.created.map((path) => `${dryRun ? "would create" : "created"}: ${path}`),
    ...report.updated.map((path) => `${dryRun ? "would update" : "updated"}: ${path}`),
    ...report.unchanged.map((path) => `unchanged: ${path}`),
    ...(next.length === 0 ? [] : ["", "Next:", ...next.map((command) => `  ${command}`)]),
  ];
  out.write(`${lines.join("\n")}\n`);
}

/** Whether the user can be asked. */
export function isInteractive({ out }: CommandStreams): boolean {
  return out.isTTY === true && process.stdin.isTTY === true;
}
