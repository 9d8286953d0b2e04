/**
 * `npx tsx --conditions=kubewright-source conformance/controllers/show.ts [area|part of a name ...]`: replays scenarios on the embedded cluster
 * and shows where each first differs from its recording, known differences included.
 */
import { parseArgs } from "node:util";
import { areas } from "./areas/index.js";
import { chosenAreas } from "./chosen-areas.js";
import { describeStepDifference } from "./compare-steps.js";
import { type Replayed, replay } from "./replay.js";

const { positionals } = parseArgs({ allowPositionals: true });
for (const area of chosenAreas(areas, positionals)) {
  for (const scenario of area.scenarios) {
    const count = `${scenario.steps.length} steps`;
    const { fresh } = await replay(scenario, { knownDifferences: [] }).catch(
      (error: unknown): Pick<Replayed, "fresh"> => ({
        fresh: [{ step: 0, title: "", at: "", recorded: "", given: String(error) }],
      }),
    );
    const verdict = fresh[0] === undefined ? `same, ${count}` : `differs at step ${fresh[0].step} of ${count}`;
    process.stdout.write(`${area.name}: ${scenario.name}: ${verdict}\n`);
    for (const one of fresh.slice(0, 6)) process.stdout.write(`${describeStepDifference(one)}\n`);
  }
}
