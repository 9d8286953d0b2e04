/**
 * `npx tsx --conditions=kubewright-source conformance/controllers/record.ts [--check] [area|part of a name ...]`: runs scenarios on a real
 * control plane and records what its controllers do. Without names, all of them. With `--check` nothing is written: the result is compared
 * with the recording, which shows what is nondeterministic.
 */
import { parseArgs } from "node:util";
import { readScenario, removeStaleScenarios, writeScenario } from "../recording.js";
import { areas } from "./areas/index.js";
import { chosenAreas } from "./chosen-areas.js";
import { compareSteps, describeStepDifference } from "./compare-steps.js";
import { runOnReal } from "./run-on-real.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean", default: false } },
});
const chosen = chosenAreas(areas, positionals);

const startedMs = performance.now();
let failed = 0;
await runOnReal(chosen, async ({ scenario, result, kubernetes }) => {
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  if (result instanceof Error) {
    failed++;
    process.stdout.write(`${seconds} s FAILED ${result.message}\n`);
  } else if (values.check) {
    const found = compareSteps(readScenario(scenario)?.steps ?? [], result);
    if (found.length > 0) failed++;
    process.stdout.write(`${seconds} s ${found.length === 0 ? "same" : "DIFFERS"} ${scenario.name}\n`);
    for (const one of found.slice(0, 5)) process.stdout.write(`${describeStepDifference(one)}\n`);
  } else {
    writeScenario(scenario, { kubernetes, steps: result });
    process.stdout.write(`${seconds} s recorded ${scenario.name}\n`);
  }
});
if (!values.check)
  for (const name of removeStaleScenarios(areas.flatMap(({ scenarios }) => scenarios)))
    process.stdout.write(`removed ${name}\n`);
if (failed > 0) process.exitCode = 1;
