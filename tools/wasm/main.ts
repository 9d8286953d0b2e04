/** Writes `x.gen.ts` next to each `x.wat`. Run it after a change of a `.wat` file. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { compileWat } from "./compile.js";
import { watFiles } from "./wat-files.js";

for (const file of watFiles()) {
  writeFileSync(file.replace(/\.wat$/, ".gen.ts"), await compileWat(basename(file), readFileSync(file, "utf8")));
  console.log(file);
}
