import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ProjectModule } from "./project-module.js";

test("a module is loaded again after a change, knows its own location, and leaves no file behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-module-"));
  await writeFile(join(folder, "package.json"), "{}");
  const file = join(folder, "index.ts");
  await writeFile(file, 'export const url: string = import.meta.url;\nexport { value } from "./value.js";\n');
  await writeFile(join(folder, "value.ts"), "export const value = 1;\n");
  await using module = new ProjectModule(file);
  expect(await module.load()).toMatchObject({ url: pathToFileURL(file).href, value: 1 });
  await writeFile(join(folder, "value.ts"), "export const value = 2;\n");
  expect(await module.load()).toMatchObject({ value: 2 });
  expect(module.inputs.toSorted()).toEqual([file, join(folder, "value.ts")]);
  expect(await readdir(join(folder, ".kubewright", "modules"))).toEqual([]);
  await rm(folder, { recursive: true });
});
