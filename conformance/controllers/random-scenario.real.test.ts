import { expect, test } from "vitest";
import { inParallel } from "../in-parallel.js";
import { compareSteps, describeStepDifference, type StepDifference } from "./compare-steps.js";
import { startOurSide } from "./our-side.js";
import { randomScenario } from "./random-scenario.js";
import { startRealSide } from "./real-side.js";
import { addSharedNodes, runScenario, type Side, type StepResult } from "./run-scenario.js";
import type { Scenario } from "./scenario.js";

// Fixed seeds, so that a difference is reproducible.
const seeds = Array.from({ length: 24 }, (_, index) => index + 1);

/** How many scenarios share the real control plane at once. */
const concurrency = 6;

async function run(side: Side, scenario: Scenario): Promise<readonly StepResult[]> {
  const steps: StepResult[] = [];
  for await (const step of runScenario(side, scenario)) steps.push(step);
  return steps;
}

/** Event series may differ: the note of an events.k8s.io Event is immutable. */
const isMeant = ({ at }: StepDifference): boolean => !at.startsWith("Event ");

test("random scenarios have the same result on a real control plane", { timeout: 600_000 }, async () => {
  await using real = await startRealSide();
  await addSharedNodes(real);
  const differing: string[] = [];
  const differences = async (scenario: Scenario): Promise<readonly StepDifference[]> => {
    const recorded = await run(real, scenario);
    await using ours = await startOurSide();
    await addSharedNodes(ours);
    return compareSteps(recorded, await run(ours, scenario)).filter(isMeant);
  };
  await inParallel(concurrency, seeds.map(randomScenario), async (scenario) => {
    const [first] = await differences(scenario);
    if (first === undefined) return;
    // The choice between equal pods and the timing of controllers are random: only a repeated difference counts.
    const again = await differences({ ...scenario, name: `${scenario.name} again` });
    if (again[0]?.step === first.step && again[0].at === first.at)
      differing.push(`${scenario.name}\n${describeStepDifference(first)}`);
  });
  expect(differing.join("\n")).toBe("");
});
