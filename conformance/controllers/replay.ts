import { type ScenarioDifference, scenarioDifferences } from "../known-differences.js";
import { readScenario } from "../recording.js";
import { compareStep, type StepDifference } from "./compare-steps.js";
import { startOurSide } from "./our-side.js";
import { addSharedNodes, runScenario, type StepResult } from "./run-scenario.js";
import type { Scenario } from "./scenario.js";

/** The result of a replay. */
export interface Replayed {
  /** Unknown differences; all of one step, because later steps differ as a consequence. */
  readonly fresh: readonly StepDifference[];
  /** Known differences. */
  readonly known: readonly StepDifference[];
  /** How many steps were compared. */
  readonly steps: number;
}

/** How a replay is compared. */
export interface ReplayOptions {
  /** The result on a real control plane. @default its recording */
  readonly expected?: readonly StepResult[];
  /** @default `scenarioDifferences` */
  readonly knownDifferences?: readonly ScenarioDifference[];
}

/** Runs a scenario on the embedded cluster until an unknown difference from a real control plane. */
export async function replay(scenario: Scenario, options: ReplayOptions = {}): Promise<Replayed> {
  const { expected = readScenario(scenario)?.steps, knownDifferences: listed = scenarioDifferences } = options;
  if (expected === undefined) throw new Error(`Cannot replay "${scenario.name}": it has no recording`);
  const reasons = listed.filter((one) => one.scenario === scenario.name);
  const isWholeKnown = reasons.some(({ at }) => at === undefined);
  const isKnown = ({ at }: StepDifference): boolean =>
    reasons.some((reason) => reason.at?.some((place) => isBelow(at, place)) !== false);
  const known: StepDifference[] = [];
  await using side = await startOurSide();
  if (scenario.nodes === undefined) await addSharedNodes(side);
  let steps = 0;
  for await (const step of runScenario(side, scenario)) {
    const found = compareStep(steps + 1, expected[steps], step);
    steps++;
    const fresh = found.filter((one) => !isKnown(one));
    known.push(...found.filter(isKnown));
    if (fresh.length > 0 || (isWholeKnown && known.length > 0)) return { fresh, known, steps };
  }
  const missing = expected.slice(steps).flatMap((step, index) => compareStep(steps + index + 1, step, undefined));
  return { fresh: missing, known, steps };
}

/** Whether a path is at or below another. */
function isBelow(place: string, above: string): boolean {
  return place.startsWith(above) && (place.length === above.length || /^[.[]/.test(place.slice(above.length)));
}
