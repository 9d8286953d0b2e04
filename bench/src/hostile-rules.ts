import { compile, kubernetesEnvironment, schemaDeclaration } from "../../packages/core/src/cel/index.js";
import { HostileExpressions, hostileObject, hostileSchema } from "../../packages/core/test/hostile-expressions.js";
import type { Comparison } from "./comparison.js";

const ruleLimit = 1_000_000;
const limitMs = 1_000;

/** The CPU time of the slowest of a thousand hostile rules, each stopped by the cost limit of a rule; the peer is the time limit. */
export function measureHostileRules(): Comparison {
  const declaration = schemaDeclaration(hostileSchema);
  if (declaration === undefined) throw new Error("Cannot measure rules: the schema has no type");
  const { type, structs } = declaration;
  const environment = kubernetesEnvironment({ variables: { self: type }, structs });
  let state = 1;
  const expressions = new HostileExpressions(environment, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  });
  const self = declaration.convert(hostileObject());
  let slowestMs = 0;
  for (let count = 0, index = 0; count < 1_000; index++) {
    const compiled = compile(expressions.next(index), environment);
    if (compiled.kind === "rejected") continue;
    count++;
    const before = process.cpuUsage();
    compiled.program.evaluate({ self }, ruleLimit);
    const { user, system } = process.cpuUsage(before);
    slowestMs = Math.max(slowestMs, (user + system) / 1_000);
  }
  return {
    name: "slowest of 1,000 hostile rules",
    unit: "ms of CPU",
    ours: slowestMs,
    theirs: limitMs,
    moreIsBetter: false,
    goal: 1,
  };
}
