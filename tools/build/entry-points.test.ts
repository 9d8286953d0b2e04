import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { entryPoints, reachableDeclarations } from "./entry-points.js";

function packageWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-entries-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, "dist", path)), { recursive: true });
    writeFileSync(join(folder, "dist", path), content);
  }
  return folder;
}

test("entryPoints lists exports, patterns, own imports, commands and threads, each once", () => {
  const folder = packageWith({
    "k8s/core/v1.gen.js": "",
    "k8s/apps/v1.gen.js": "",
    "k8s/handle.js": "",
    "index.js": "",
  });
  const manifest = {
    name: "kubewright",
    exports: { ".": { default: "./dist/index.js" }, "./k8s/*": { default: "./dist/k8s/*.gen.js" } },
    imports: { "#zod": { default: "./dist/lazy-zod.js" }, "#data": "./data/api.json" },
    bin: { kubewright: "dist/main.js", again: "./dist/index.js" },
  };
  expect(entryPoints(folder, manifest).toSorted()).toEqual(
    ["index", "k8s/apps/v1.gen", "k8s/core/v1.gen", "lazy-zod", "lease/lease-worker", "main"].toSorted(),
  );
});

test("reachableDeclarations follows imports, exports and import types, and leaves the rest", () => {
  const folder = packageWith({
    "index.d.ts": 'export { a } from "./a/index.js";\nexport type B = import("./b.js").B;\nimport "zod";\n',
    "a/index.d.ts": 'import type { C } from "../c.js";\nexport declare const a: C;\n',
    "b.d.ts": "export type B = 1;\n",
    "c.d.ts": 'export type { C } from "./index.js";\n',
    "unreachable.d.ts": 'export * from "./index.js";\n',
  });
  expect(reachableDeclarations(join(folder, "dist"), ["index"]).toSorted()).toEqual(
    ["a/index.d.ts", "b.d.ts", "c.d.ts", "index.d.ts"].toSorted(),
  );
});
