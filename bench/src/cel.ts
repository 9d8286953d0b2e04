import { celEnv, parse as parseWithBuf, plan } from "@bufbuild/cel";
import type { JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { Environment } from "@marcbachmann/cel-js";
import { compile, kubernetesEnvironment, schemaDeclaration } from "../../packages/core/src/cel/index.js";
import type { Comparison } from "./comparison.js";
import { measureHostileRules } from "./hostile-rules.js";
import { measureRuleCreates } from "./rule-creates.js";

/** Rules that all three engines evaluate, as CRDs contain them. */
const rules: readonly string[] = [
  'self.replicas <= self.max && self.name.startsWith("a")',
  "self.replicas >= self.min",
  "self.items.all(item, item.size > 0)",
  'self.items.exists(item, item.name == "c")',
  "size(self.items) <= 10",
  'self.name in ["abc", "def", "ghi"]',
  "has(self.name) && !has(self.missing)",
  'self.name.matches("^[a-z]+$")',
  "self.items.filter(item, item.size > 1).map(item, item.name).size() == 2",
  "self.ratio < 1.0 ? self.replicas == 3 : self.replicas > 3",
];

const integer: Schema = { type: "integer" };
const text: Schema = { type: "string" };
const schema: Schema = {
  type: "object",
  properties: {
    name: text,
    missing: text,
    replicas: integer,
    min: integer,
    max: integer,
    ratio: { type: "number" },
    items: { type: "array", items: { type: "object", properties: { name: text, size: integer } } },
  },
};
const items = ["a", "b", "c"].map((name, index) => ({ name, size: index + 1 }));
const object = { name: "abc", replicas: 3, min: 1, max: 5, ratio: 0.5, items };
/** The other engines take ints as bigints. */
const bigObject = {
  ...object,
  replicas: 3n,
  min: 1n,
  max: 5n,
  items: items.map(({ name, size }) => ({ name, size: BigInt(size) })),
};

type Evaluate = () => unknown;

/** Evaluations of CEL rules in a second, beside those of the engines on npm. */
export async function measureCel(): Promise<{ readonly peer: string; readonly comparisons: readonly Comparison[] }[]> {
  const ours = rules.map(prepareOurs);
  const buf = rules.map(prepareBuf);
  const marcbachmann = rules.map(prepareMarcbachmann);
  return [
    { peer: "@bufbuild/cel", comparisons: compare(ours, buf, 5) },
    { peer: "@marcbachmann/cel-js", comparisons: compare(ours, marcbachmann, 0.7) },
    { peer: "limit", comparisons: [measureHostileRules()] },
    { peer: "without rules", comparisons: [await measureRuleCreates()] },
  ];
}

function prepareOurs(rule: string): Evaluate {
  const declaration = schemaDeclaration(schema);
  if (declaration === undefined) throw new Error("Cannot measure rules: the schema has no type");
  const { type, structs } = declaration;
  const compiled = compile(rule, kubernetesEnvironment({ variables: { self: type }, structs }));
  if (compiled.kind === "rejected") throw new Error(`Cannot measure rule "${rule}": ${compiled.message}`);
  return () => {
    const evaluation = compiled.program.evaluate({ self: declaration.convert(object as JsonValue) }, 1_000_000);
    return evaluation.kind === "value" ? evaluation.value : evaluation;
  };
}

function prepareBuf(rule: string): Evaluate {
  const program = plan(celEnv(), parseWithBuf(rule));
  return () => program({ self: bigObject });
}

function prepareMarcbachmann(rule: string): Evaluate {
  const program = new Environment().registerVariable("self", "dyn").parse(rule);
  return () => program({ self: bigObject });
}

function compare(ours: readonly Evaluate[], theirs: readonly Evaluate[], goal: number): Comparison[] {
  return rules.map((rule, index) => {
    const [mine, other] = [ours[index], theirs[index]];
    if (mine === undefined || other === undefined) throw new Error(`Cannot measure rule "${rule}"`);
    if (mine() !== true || other() !== true)
      throw new Error(`Cannot compare rule "${rule}": it must be true everywhere`);
    return {
      name: rule.length > 40 ? `${rule.slice(0, 39)}…` : rule,
      unit: "thousand/s",
      ...ratesOf(mine, other),
      moreIsBetter: true,
      goal,
    };
  });
}

/** The best of several short rounds that take turns, in thousands per second. */
function ratesOf(mine: Evaluate, other: Evaluate): { readonly ours: number; readonly theirs: number } {
  let [ours, theirs] = [0, 0];
  for (let round = 0; round < 15; round++) {
    ours = Math.max(ours, rateOf(mine));
    theirs = Math.max(theirs, rateOf(other));
  }
  return { ours, theirs };
}

function rateOf(evaluate: Evaluate): number {
  const startedMs = performance.now();
  let count = 0;
  let takenMs = 0;
  do {
    for (let index = 0; index < 200; index++) evaluate();
    count += 200;
    takenMs = performance.now() - startedMs;
  } while (takenMs < 15);
  return count / takenMs;
}
