import { expect, test } from "vitest";
import { readScenario } from "../recording.js";
import { areas } from "./areas/index.js";
import { compareSteps, describeStepDifference } from "./compare-steps.js";
import { runOnReal } from "./run-on-real.js";
import type { Scenario } from "./scenario.js";

/** Whether a scenario needs neither its own nodes nor real time. */
function isQuick({ nodes, steps }: Scenario): boolean {
  const actions = steps.flatMap((step) => step.actions);
  return nodes === undefined && actions.every((action) => action.do !== "wait" && action.do !== "minute");
}

/** One scenario of each area; `record.ts --check` runs all, which takes minutes. */
const quick = areas.map((area) => ({ ...area, scenarios: area.scenarios.filter(isQuick).slice(0, 1) }));

test("a real control plane still matches the recorded scenarios", { timeout: 300_000 }, async () => {
  const changed: string[] = [];
  await runOnReal(quick, async ({ scenario, result, kubernetes }) => {
    if (result instanceof Error) throw result;
    const recording = readScenario(scenario);
    expect(recording?.kubernetes).toBe(kubernetes);
    const found = compareSteps(recording?.steps ?? [], result);
    if (found.length > 0) changed.push(`${scenario.name}\n${found.map(describeStepDifference).join("\n")}`);
  });
  expect(changed.join("\n")).toBe("");
});
