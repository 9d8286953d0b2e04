import { type AreaResult, type LiveResult, total } from "../live-report.js";
import { describeStepDifference } from "./compare-steps.js";
import { replay } from "./replay.js";
import { runOnReal } from "./run-on-real.js";
import type { Area } from "./scenario.js";

/** Runs scenarios on a real control plane and compares the embedded cluster with the result. Takes minutes of real time. */
export async function compareScenarios(
  areas: readonly Area[],
  onProgress: (text: string) => void = () => {},
): Promise<LiveResult> {
  const rows = new Map<string, AreaResult>();
  const unexplained: string[] = [];
  let done = 0;
  await runOnReal(areas, async ({ area, scenario, result }) => {
    if (result instanceof Error) throw result;
    const { fresh, known, steps } = await replay(scenario, { expected: result });
    const knownSteps = new Set(known.map(({ step }) => step)).size;
    if (fresh.length > 0) unexplained.push(`${scenario.name}\n${fresh.map(describeStepDifference).join("\n")}`);
    const row = rows.get(area.name) ?? total([]);
    rows.set(area.name, {
      area: `scenarios of ${area.name}`,
      cases: row.cases + 1,
      requests: row.requests + result.length,
      same: row.same + steps - knownSteps - (fresh.length > 0 ? 1 : 0),
      known: row.known + knownSteps,
      unexplained: row.unexplained + (fresh.length > 0 ? 1 : 0),
      notCompared: row.notCompared + result.length - steps,
    });
    onProgress(`${++done} scenarios compared`);
  });
  return { areas: [...rows.values()], unexplained };
}
