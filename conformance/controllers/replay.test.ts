import { expect, test } from "vitest";
import { scenarioDifferences } from "../known-differences.js";
import { readScenario, staleScenarios } from "../recording.js";
import { areas } from "./areas/index.js";
import { describeStepDifference } from "./compare-steps.js";
import { replay } from "./replay.js";

const scenarios = areas.flatMap((area) => area.scenarios);

for (const area of areas) {
  test.each(area.scenarios)(`${area.name}: $name`, async (scenario) => {
    const isListed = scenarioDifferences.some((one) => one.scenario === scenario.name);
    const { fresh, known } = await replay(scenario);
    expect(fresh.slice(0, 8).map(describeStepDifference).join("\n")).toBe("");
    if (isListed) expect(known, "it no longer differs: remove it from known-differences.ts").not.toEqual([]);
  });
}

test("scenario names are unique, known differences name scenarios, and no recording is stale", () => {
  const names = scenarios.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(scenarioDifferences.filter(({ scenario }) => !names.includes(scenario))).toEqual([]);
  expect(staleScenarios(scenarios)).toEqual([]);
});

test("every recording has the steps of its scenario", () => {
  for (const scenario of scenarios)
    expect(readScenario(scenario)?.steps.map(({ title }) => title)).toEqual(scenario.steps.map(({ title }) => title));
});
