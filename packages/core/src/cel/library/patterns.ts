import { type CompiledPattern, compilePattern } from "../../regexp/index.js";
import { EvalFailure } from "../values/eval-failure.js";

const compiled = new Map<string, CompiledPattern>();
const maxCompiled = 1_000;

/** A pattern of RE2, compiled once for as long as it is used. Throws why it is rejected. */
export function pattern(source: string, problem = ""): Extract<CompiledPattern, { kind: "pattern" }> {
  let found = compiled.get(source);
  if (found === undefined) {
    if (compiled.size >= maxCompiled) compiled.clear();
    found = compilePattern(source);
    compiled.set(source, found);
  }
  if (found.kind === "rejected") throw new EvalFailure(problem + found.reason);
  return found;
}
