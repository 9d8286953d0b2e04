import { describe, expect, test } from "vitest";
import { compile, kubernetesEnvironment, schemaDeclaration } from "../src/cel/index.js";
import { HostileExpressions, hostileObject, hostileSchema } from "./hostile-expressions.js";

/** A twentieth of what one rule may cost, and far more time than it takes: 5 ms on a machine that does nothing else. */
const costLimit = 50_000;
const limitMs = 1_000;

const declaration = schemaDeclaration(hostileSchema);
if (declaration === undefined) throw new Error("The schema has a type");
const { type, structs } = declaration;
const environment = kubernetesEnvironment({ variables: { self: type }, structs });

function milliseconds(expression: string): number {
  const compiled = compile(expression, environment);
  // Some generated literals are no durations, and some lists cannot be sorted.
  if (compiled.kind === "rejected") return 0;
  const self = declaration?.convert(hostileObject()) ?? null;
  const startedMs = performance.now();
  compiled.program.evaluate({ self }, costLimit);
  return performance.now() - startedMs;
}

function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("an expression takes no longer than its cost limit pays for", () => {
  test.each([
    "self.texts.all(x, '%s'.format([self.nested]) != '' && '%s'.format([self.texts]) != '')",
    "self.texts.all(x, self.texts.all(y, self.unicode.charAt(1000) != 'b'))",
    "self.texts.all(x, self.unicode > self.pattern)",
    "self.texts.all(x, self.long.sort().size() > 0)",
    "self.texts.all(x, self.lists == self.lists)",
    "self.texts.all(x, self.texts.all(y, self.texts.filter(z, [string(1u)] == []).size() == 0))",
    "self.texts.all(x, (self.numbers + self.numbers).size() > 0)",
    "self.texts.all(x, self.letters.find(self.expansion) != x)",
    "self.texts.all(x, !'a'.matches('(' + x + '{1,30}b?){33}'))",
    "self.texts.all(x, !isQuantity(self.digits + x))",
    "[duration(self.digits + 'x')].size() == 1",
    "double(self.digits + 'x') > 0.0",
    "int(self.digits) > 0",
    "(' '.replace('', self.letters).replace('a', ' ') + 'x').trim() == 'x'",
    "'%.100000000f'.format([self.ratio]) != ''",
  ])("%s", (expression) => {
    expect(milliseconds(expression)).toBeLessThan(limitMs);
  });

  test("whichever function is at its centre", () => {
    const expressions = new HostileExpressions(environment, sequence(1));
    for (let index = 0; index < 300; index++) {
      const expression = expressions.next(index);
      expect(milliseconds(expression), expression).toBeLessThan(limitMs);
    }
  });
});
