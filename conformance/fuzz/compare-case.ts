import { type Difference, differences } from "../compare.js";
import { compared } from "../compared.js";
import { inParallel } from "../in-parallel.js";
import { normalise, type Seen } from "../normalise.js";
import { runCase, type Timeouts } from "../run-test-case.js";
import type { ApiClient } from "../servers/api-client.js";
import type { Case, Step } from "../test-case.js";
import { chanceDecided, explain } from "./explained.js";

/** Clients of the two servers that are compared. */
export interface BothClients {
  readonly real: ApiClient;
  readonly ours: ApiClient;
}

/** The result of comparing one case. */
export interface CaseVerdict {
  readonly one: Case;
  /** Compared steps: all, or those up to the first difference that leaves the servers in different states. */
  readonly compared: number;
  /** Explained differences, by step. */
  readonly explained: readonly { readonly step: number; readonly why: string }[];
  /** The first unexplained difference. */
  readonly unexplained?: Difference;
}

const timeouts: Timeouts = { eventMs: 10_000, untilMs: 6_000 };

/**
 * Sends a case to both servers in the same order and compares the responses. After responses with different statuses the servers hold
 * different objects, so later steps are not compared.
 */
export async function compareCase(clients: BothClients, one: Case): Promise<CaseVerdict> {
  return (await compareRuns(clients, one)).verdict;
}

async function compareRuns(
  clients: BothClients,
  one: Case,
): Promise<{ readonly verdict: CaseVerdict; readonly ours: readonly Seen[] }> {
  const [real = [], ours = []] = await Promise.all(
    [clients.real, clients.ours].map(async (client) =>
      compared(one, normalise(one, await runCase(client, one, timeouts), Date.now())).map(withSortedWarnings),
    ),
  );
  const steps = one.steps.filter((step) => step.kind === "read" || step.silent !== true);
  return { verdict: judge(one, steps, real, ours), ours };
}

/** A real server iterates over Go maps, so that warnings about several keys have no fixed order. */
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
    // With silent steps, which are not compared: they may create what a difference is explained by.
    const before = one.steps.slice(0, sent && one.steps.indexOf(sent)).filter((one) => one.kind === "request");
    const by = sent?.kind === "request" ? explain(difference, sent, before) : undefined;
    if (!by) return { one, compared: step, explained, unexplained: difference };
    explained.push({ step, why: by.why });
    if (by.isLast === true || !difference.at.includes(" ")) return { one, compared: step, explained };
  }
  return { one, compared: real.length, explained };
}

/**
 * Compares a case, and repeats it if a difference is unexplained. If a real server then returns what ours returns every time, the
 * difference is nondeterministic.
 */
async function compareDespiteChance(clients: BothClients, one: Case, attempts = 12): Promise<CaseVerdict> {
  const { verdict, ours } = await compareRuns(clients, one);
  if (!verdict.unexplained) return verdict;
  const step = verdict.compared;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const again = await compareRuns(clients, { ...one, name: `${one.name} again ${attempt}` });
    // Later steps depend on the difference.
    if (differences(ours.slice(0, step), again.ours.slice(0, step)).length > 0) return verdict;
    if (!again.verdict.unexplained && again.verdict.compared >= step)
      return { ...again.verdict, one, explained: [...again.verdict.explained, { step, why: chanceDecided }] };
  }
  return verdict;
}

/** Compares cases concurrently, and repeats those that may be nondeterministic. Calls `onVerdict` after each. */
export async function compareCases(
  clients: BothClients,
  cases: readonly Case[],
  { concurrency, onVerdict }: { readonly concurrency: number; readonly onVerdict?: (verdict: CaseVerdict) => void },
): Promise<CaseVerdict[]> {
  const verdicts: CaseVerdict[] = new Array(cases.length);
  await inParallel(concurrency, cases.entries(), async ([index, one]) => {
    const verdict = await compareDespiteChance(clients, one);
    verdicts[index] = verdict;
    onVerdict?.(verdict);
  });
  return verdicts;
}
