import { type CompiledPattern, compilePattern } from "../../regexp/index.js";
import { EvalFailure } from "../values/eval-failure.js";
import { work } from "../values/work.js";

export type Pattern = Extract<CompiledPattern, { kind: "pattern" }>;

const compiled = new Map<string, CompiledPattern>();
const maxCompiled = 1_000;

/** A pattern of RE2, compiled once for as long as it is used. Throws why it is rejected. */
export function pattern(source: string, problem = ""): Pattern {
  // Reported whether it is compiled already or not, so that costs do not depend on earlier evaluations.
  work(instructionsOf(source) * 200);
  let found = compiled.get(source);
  if (found === undefined) {
    if (compiled.size >= maxCompiled) compiled.clear();
    found = compilePattern(source);
    compiled.set(source, found);
  }
  if (found.kind === "rejected") throw new EvalFailure(problem + found.reason);
  return found;
}

/** About how large a compiled pattern is: RE2 repeats what a counted repetition repeats. */
function instructionsOf(source: string): number {
  let counts = 0;
  let largest = 1;
  for (const [, closes, count] of source.matchAll(/(\)?)\{(?:\d+,)?(\d+)/g)) {
    counts += Number(count);
    if (closes !== "") largest = Math.max(largest, Number(count));
  }
  return (source.length + counts) * Math.min(largest, 1_000);
}

/** `text.matches(pattern)`. The lazy DFA reads each character once, and makes states as it goes. */
export function matches(source: Pattern, text: string): boolean {
  work(text.length * Math.min(40, 5 + source.instructions / 4));
  return source.matches(text);
}

/** What a pattern matches, `limit` times at most. The NFA may follow every instruction for each character. */
export function findAll(source: Pattern, text: string, limit: number): string[] {
  work(1_000 + (text.length + 1) * (10 + source.instructions * 2));
  return source.findAll(text, limit);
}
