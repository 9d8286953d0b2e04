import { stringifyJson } from "@kubewright/core/json";
import { type Difference, describeDifference, differences, isAt } from "./compare.js";
import { compared } from "./compared.js";
import {
  type BothClients,
  type CaseVerdict,
  compareCases,
  type FuzzOptions,
  fuzzPlan,
  shrinkCase,
  signature,
} from "./fuzz/index.js";
import { requestDifferences } from "./known-differences.js";
import type { AreaResult, LiveResult } from "./live-report.js";
import { normalise, type Seen } from "./normalise.js";
import { type PlayOptions, playSubjects } from "./requests/play-subjects.js";
import { runCase } from "./run-test-case.js";
import type { ApiClient } from "./servers/api-client.js";
import { realPlayOptions } from "./servers/real-server.js";
import type { Case, Subject } from "./test-case.js";

/** Sends every case to both servers, and repeats those that differ, because the difference may be a race. */
export async function compareSubjects(clients: BothClients, subjects: readonly Subject[]): Promise<LiveResult> {
  const [real, ours] = await Promise.all([
    playSubjects(clients.real, subjects, realPlayOptions),
    playSubjects(clients.ours, subjects, ourPlayOptions),
  ]);
  const unexplained: string[] = [];
  const areas: AreaResult[] = [];
  for (const subject of subjects) {
    const counts = { cases: 0, requests: 0, known: 0, unexplained: 0 };
    for (const [index, played] of real.entries()) {
      if (played.subject !== subject) continue;
      const found = differences(compared(played.one, played.seen), compared(played.one, ours[index]?.seen ?? []));
      const unknown = found.filter((difference) => !isKnown(played.one, difference));
      const fresh = unknown.length > 0 && (await isAlikeAgain(clients, played.one)) ? [] : unknown;
      const freshSteps = stepsOf(fresh);
      counts.cases++;
      counts.requests += played.seen.length;
      counts.unexplained += freshSteps.size;
      counts.known += [...stepsOf(found)].filter((step) => !freshSteps.has(step)).length;
      if (fresh.length > 0) unexplained.push(`${played.one.name}\n${fresh.map(describeDifference).join("\n")}`);
    }
    const same = counts.requests - counts.known - counts.unexplained;
    areas.push({ area: subject.name, ...counts, same, notCompared: 0 });
  }
  return { areas, unexplained };
}

const ourPlayOptions: PlayOptions = { ...realPlayOptions, eventMs: 2_000, untilMs: 2_000 };

function isKnown({ name }: Case, { at }: Difference): boolean {
  return requestDifferences.some((known) => known.case === name && isAt(at, known.at));
}

/**
 * Whether a repeated case no longer differs. A real server may read from a stale watch cache and then reports more errors.
 */
async function isAlikeAgain(clients: BothClients, one: Case): Promise<boolean> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const again: Case = { name: `${one.name} again ${attempt}`, steps: one.steps };
    const seen = async (client: ApiClient, timeouts: PlayOptions): Promise<readonly Seen[]> =>
      compared(again, normalise(again, await runCase(client, again, timeouts), Date.now()));
    const [real, ours] = await Promise.all([seen(clients.real, realPlayOptions), seen(clients.ours, ourPlayOptions)]);
    if (differences(real, ours).every((difference) => isKnown(one, difference))) return true;
  }
  return false;
}

function stepsOf(found: readonly Difference[]): Set<number> {
  return new Set(found.map(({ at }) => Number.parseInt(at, 10)));
}

/** How a fuzzer run reports. */
export interface FuzzProgress {
  /** Called with the number of requests compared so far. */
  onProgress?(requests: number): void;
  /** How many distinct unexplained differences are shrunk and shown. @default 10 */
  readonly shown?: number;
}

/** Sends random requests to both servers. */
export async function compareFuzz(
  clients: BothClients,
  options: FuzzOptions,
  { onProgress, shown = 10 }: FuzzProgress = {},
): Promise<LiveResult> {
  const plan = fuzzPlan(options);
  let requests = 0;
  const onVerdict = ({ one }: CaseVerdict): void => {
    requests += one.steps.length;
    onProgress?.(requests);
  };
  const defined = await compareCases(clients, plan.definitions, { concurrency: options.kinds, onVerdict });
  const verdicts = [...defined, ...(await compareCases(clients, plan.cases, { concurrency: 16, onVerdict }))];
  const sorts = new Map<string, CaseVerdict>();
  for (const verdict of verdicts) if (verdict.unexplained) sorts.set(signature(verdict), verdict);
  const unexplained: string[] = [];
  for (const verdict of [...sorts.values()].slice(0, shown))
    unexplained.push(describeVerdict(await shrinkCase(clients, verdict)));
  if (sorts.size > shown) unexplained.push(`and ${sorts.size - shown} other kinds of differences`);
  const areas = new Map<string, CaseVerdict[]>();
  for (const verdict of verdicts) areas.set(areaOf(verdict), [...(areas.get(areaOf(verdict)) ?? []), verdict]);
  return { areas: [...areas].sort().map(([area, own]) => fuzzArea(area, own)), unexplained };
}

function areaOf({ one }: CaseVerdict): string {
  const paths = one.steps
    .map((step) => (step.kind === "request" && step.silent !== true && !step.path.includes("/rbac.") ? step.path : ""))
    .join("\n");
  const resource = /(?:namespaces\/\{ns\}\/|apiextensions.k8s.io\/v1\/)(\w+)/.exec(paths)?.[1] ?? "other";
  return `fuzz ${resource === "widgets" ? "custom resources" : resource}`;
}

function fuzzArea(area: string, verdicts: readonly CaseVerdict[]): AreaResult {
  const sum = (count: (verdict: CaseVerdict) => number): number =>
    verdicts.reduce((all, verdict) => all + count(verdict), 0);
  const requests = sum(({ one }) => one.steps.filter((step) => step.kind === "read" || step.silent !== true).length);
  const compared = sum((verdict) => verdict.compared);
  const unexplained = sum((verdict) => (verdict.unexplained ? 1 : 0));
  const known = sum(({ explained, unexplained: first }) => {
    const last = first === undefined ? 0 : Number.parseInt(first.at, 10);
    return new Set(explained.map(({ step }) => step).filter((step) => step !== last)).size;
  });
  return {
    area,
    cases: verdicts.length,
    requests,
    same: compared - known - unexplained,
    known,
    unexplained,
    notCompared: requests - compared,
  };
}

function describeVerdict({ one, unexplained }: CaseVerdict): string {
  const steps = one.steps.map((step) => {
    if (step.kind !== "request") return "";
    const type = step.headers?.["content-type"] ?? "";
    return `  ${step.method} ${step.path} ${type} ${step.text ?? stringifyJson(step.body) ?? ""}`.trimEnd();
  });
  return `${one.name}\n${steps.join("\n")}\n${unexplained ? describeDifference(unexplained) : ""}`;
}
