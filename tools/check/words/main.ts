/** `tsx tools/check/words/main.ts [ROOT]`: prints each banned term with its replacement and exits with 1 if there is any. */
import { join } from "node:path";
import { checkWords } from "./check-words.js";

const problems = checkWords(process.argv[2] ?? join(import.meta.dirname, "..", "..", ".."));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
