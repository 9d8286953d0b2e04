import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { compileWat } from "./compile.js";
import { watFiles } from "./wat-files.js";

it.each(watFiles())("the generated module of %s is up to date", async (file) => {
  const written = readFileSync(file.replace(/\.wat$/, ".gen.ts"), "utf8");
  expect(written).toBe(await compileWat(basename(file), readFileSync(file, "utf8")));
});

it("invalid WebAssembly text is rejected", async () => {
  await expect(compileWat("bad.wat", "(module (func (result i32)))")).rejects.toThrow(/bad\.wat/);
});
