import { compareStep, type StepDifference } from "./compare-steps.js";
import { knownDifferences } from "./known-differences.js";
import { startOurSide } from "./our-side.js";
import { readRecording } from "./recording.js";
import { addSharedNodes, runScenario } from "./run-scenario.js";
import type { Scenario } from "./scenario.js";

/** What a replay came to. */
export interface Replayed {
  /** Differences that nothing explains; all of one step, because what comes after it differs for that reason. */
  readonly fresh: readonly StepDifference[];
  /** Differences that are known. */
  readonly known: readonly StepDifference[];
}

/** Runs a scenario on the embedded cluster, until it differs from its recording in a way that is not known. */
export async function replay(scenario: Scenario): Promise<Replayed> {
  const recorded = readRecording(scenario)?.steps;
  if (recorded === undefined) throw new Error(`Cannot replay "${scenario.name}": it was not recorded`);
  const reasons = knownDifferences.filter((one) => one.scenario === scenario.name);
  const isWholeKnown = reasons.some(({ at }) => at === undefined);
  const isKnown = ({ at }: StepDifference): boolean =>
    reasons.some((reason) => reason.at?.some((place) => isBelow(at, place)) !== false);
  const known: StepDifference[] = [];
  await using side = await startOurSide();
  if (scenario.nodes === undefined) await addSharedNodes(side);
  let count = 0;
  for await (const step of runScenario(side, scenario)) {
    const found = compareStep(count + 1, recorded[count], step);
    const fresh = found.filter((one) => !isKnown(one));
    known.push(...found.filter(isKnown));
    if (fresh.length > 0 || (isWholeKnown && known.length > 0)) return { fresh, known };
    count++;
  }
  const missing = recorded.slice(count).flatMap((step, index) => compareStep(count + index + 1, step, undefined));
  return { fresh: missing, known };
}

/** Whether a place is another, or lies in it. */
function isBelow(place: string, above: string): boolean {
  return place.startsWith(above) && (place.length === above.length || /^[.[]/.test(place.slice(above.length)));
}
