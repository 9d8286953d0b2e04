import { type Difference, differences } from "../compare.js";
import { compared } from "../compared.js";
import { inParallel } from "../in-parallel.js";
import { normalise, type Seen } from "../normalise.js";
import { type Patience, runCase } from "../run-test-case.js";
import type { Door } from "../servers/door.js";
import type { Case, Step } from "../test-case.js";
import { chanceDecided, explain } from "./explained.js";

/** Two servers that are asked the same. */
export interface BothDoors {
  readonly real: Door;
  readonly ours: Door;
}

/** What the comparison of one case showed. */
export interface CaseVerdict {
  readonly one: Case;
  /** Steps that were compared: all, or those up to the first difference that sends the servers different ways. */
  readonly compared: number;
  /** Explained differences, by step. */
  readonly explained: readonly { readonly step: number; readonly why: string }[];
  /** The first difference that nothing explains. */
  readonly unexplained?: Difference;
}

const patience: Patience = { eventMs: 10_000, untilMs: 6_000 };

/**
 * Sends a case to both servers, in the same order, and compares the answers. After answers with unlike statuses the servers hold unlike
 * objects, so nothing after them is compared.
 */
export async function compareCase(doors: BothDoors, one: Case): Promise<CaseVerdict> {
  return (await compareRuns(doors, one)).verdict;
}

async function compareRuns(
  doors: BothDoors,
  one: Case,
): Promise<{ readonly verdict: CaseVerdict; readonly ours: readonly Seen[] }> {
  const [real = [], ours = []] = await Promise.all(
    [doors.real, doors.ours].map(async (door) =>
      compared(one, normalise(one, await runCase(door, one, patience), Date.now())).map(withSortedWarnings),
    ),
  );
  const steps = one.steps.filter((step) => step.kind === "read" || step.silent !== true);
  return { verdict: judge(one, steps, real, ours), ours };
}

/** A real server walks Go maps, so that warnings about several keys come in any order. */
function withSortedWarnings(seen: Seen): Seen {
  const headers = seen["headers"] as { readonly warning?: unknown } | undefined;
  if (!Array.isArray(headers?.warning)) return seen;
  return { ...seen, headers: { ...headers, warning: [...headers.warning].sort() } };
}

function judge(one: Case, steps: readonly Step[], real: readonly Seen[], ours: readonly Seen[]): CaseVerdict {
  const explained: { step: number; why: string }[] = [];
  for (const difference of differences(real, ours)) {
    const step = Number.parseInt(difference.at, 10);
    const sent = steps[step - 1];
    const before = steps.slice(0, step - 1).filter((one) => one.kind === "request");
    const by = sent?.kind === "request" ? explain(difference, sent, before) : undefined;
    if (!by) return { one, compared: step, explained, unexplained: difference };
    explained.push({ step, why: by.why });
    if (by.isLast === true || !difference.at.includes(" ")) return { one, compared: step, explained };
  }
  return { one, compared: real.length, explained };
}

/**
 * Compares a case; one with an unexplained difference again, some times. When a real server then gives what this one gives every time,
 * chance made the difference.
 */
async function compareDespiteChance(doors: BothDoors, one: Case, attempts = 12): Promise<CaseVerdict> {
  const { verdict, ours } = await compareRuns(doors, one);
  if (!verdict.unexplained) return verdict;
  const step = verdict.compared;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const again = await compareRuns(doors, { ...one, name: `${one.name} again ${attempt}` });
    // What follows the difference depends on it.
    if (differences(ours.slice(0, step), again.ours.slice(0, step)).length > 0) return verdict;
    if (!again.verdict.unexplained && again.verdict.compared >= step)
      return { ...again.verdict, one, explained: [...again.verdict.explained, { step, why: chanceDecided }] };
  }
  return verdict;
}

/** Compares many cases, some at once, and those again where chance may have decided. `onVerdict` hears of each as it ends. */
export async function compareCases(
  doors: BothDoors,
  cases: readonly Case[],
  { atOnce, onVerdict }: { readonly atOnce: number; readonly onVerdict?: (verdict: CaseVerdict) => void },
): Promise<CaseVerdict[]> {
  const verdicts: CaseVerdict[] = new Array(cases.length);
  await inParallel(atOnce, cases.entries(), async ([index, one]) => {
    const verdict = await compareDespiteChance(doors, one);
    verdicts[index] = verdict;
    onVerdict?.(verdict);
  });
  return verdicts;
}
