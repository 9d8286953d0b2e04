import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Comparison } from "./comparison.js";
import type { Figure } from "./measure.js";
import { median, spread } from "./spread.js";

const root = join(import.meta.dirname, "..", "..");

/** Measurements that start the real control plane for themselves, not only as a peer. */
const needsRealControlPlane: ReadonlySet<string> = new Set(["client", "runtime"]);

/** One row of a measurement, in both trees. */
interface Row {
  readonly name: string;
  readonly moreIsBetter: boolean;
  readonly before: number[];
  readonly now: number[];
}

/** Options of {@link compareWithCommit}. */
export interface AgainstOptions {
  /** The commit to compare with. */
  readonly commit: string;
  /** Measurements by name, as `npm run bench` takes them. */
  readonly measurements: readonly string[];
  /** Runs of each tree. */
  readonly runs: number;
}

/**
 * Measures this working tree and another commit in alternating runs, and prints the ratio of the medians: above 1 this tree is better. The other commit
 * is checked out into a temporary worktree, which is removed at the end. Peers are left out where a measurement does not need them.
 */
export function compareWithCommit({ commit, measurements, runs }: AgainstOptions): void {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-against-"));
  const before = join(folder, "before");
  run("git", ["worktree", "add", "--detach", before, commit], root);
  try {
    run(process.execPath, ["tools/bootstrap.mjs"], before);
    for (const measurement of measurements) {
      const env = needsRealControlPlane.has(measurement) ? {} : { XDG_CACHE_HOME: join(folder, "no-peers") };
      const rows = new Map<string, Row>();
      for (let index = 0; index < runs; index++) {
        const sides = [
          { tree: before, side: "before" },
          { tree: root, side: "now" },
        ] as const;
        // The first of two runs is often the slower one, so the order alternates too.
        for (const { tree, side } of index % 2 === 0 ? sides : sides.toReversed()) {
          console.error(`${measurement}, run ${index + 1} of ${runs}, ${side}`);
          for (const { name, value, moreIsBetter } of measureTree(tree, measurement, env)) {
            const row = rows.get(name) ?? { name, moreIsBetter, before: [], now: [] };
            row[side].push(value);
            rows.set(name, row);
          }
        }
      }
      console.log(`\n${tableOf(`${measurement}, ${runs} runs each`, commit, [...rows.values()])}`);
    }
  } finally {
    run("git", ["worktree", "remove", "--force", before], root);
    rmSync(folder, { recursive: true });
  }
}

interface Measured {
  readonly name: string;
  readonly value: number;
  readonly moreIsBetter: boolean;
}

function measureTree(tree: string, measurement: string, env: Readonly<Record<string, string>>): Measured[] {
  const script = join("bench", "src", "main.ts");
  const args = ["--conditions=kubewright-source", "--import=tsx", script, measurement, "-o", "json"];
  const { comparisons = [], ...groups } = JSON.parse(run(process.execPath, args, tree, env)) as {
    readonly comparisons?: readonly Comparison[];
  } & Readonly<Record<string, readonly Figure[]>>;
  return [
    ...Object.entries(groups).flatMap(([title, figures]) =>
      figures.map(({ name, medianMs }) => ({
        // Names of the client's rows end with the memory of that run.
        name: `${title}: ${name.replace(/ \(\d+ MB\)$/, "")}`,
        value: medianMs,
        moreIsBetter: false,
      })),
    ),
    ...comparisons.map(({ name, ours, moreIsBetter }) => ({ name, value: ours, moreIsBetter })),
  ];
}

function tableOf(title: string, commit: string, rows: readonly Row[]): string {
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(90)}${cells.map((cell) => cell.padStart(22)).join("")}`;
  return [
    line(title, [commit.slice(0, 12), "this tree", "ratio"]),
    ...rows.map(({ name, moreIsBetter, before, now }) => {
      const ratio = moreIsBetter ? median(now) / median(before) : median(before) / median(now);
      return line(name, [spread(before), spread(now), Number.isFinite(ratio) ? `${ratio.toFixed(2)}x` : "-"]);
    }),
  ].join("\n");
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  if (status !== 0)
    throw new Error(`"${program} ${args.join(" ")}" failed with ${status ?? error?.message} in "${cwd}"`);
  return stdout;
}
