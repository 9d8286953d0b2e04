/** `tsx tools/check/layers/main.ts [ROOT]`: prints each wrong import and exits with 1 if there is any. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkLayers, type Layers } from "./check-layers.js";

const here = dirname(fileURLToPath(import.meta.url));
const layers = JSON.parse(readFileSync(join(here, "layers.json"), "utf8")) as Layers;
const problems = checkLayers(process.argv[2] ?? join(here, "..", "..", ".."), layers);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
