import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { z as eager } from "zod";
import { z } from "./lazy-zod.js";

const lazy = z as typeof eager;
const root = fileURLToPath(new URL("../index.ts", import.meta.url));

describe("lazy zod", () => {
  it("is the same module as an imported zod", () => {
    expect(lazy.string).toBe(eager.string);
    expect(lazy.object({ name: lazy.string() }).parse({ name: "a" })).toEqual({ name: "a" });
  });

  it("has the members of zod's namespace", () => {
    expect(Object.keys(lazy)).toEqual(Object.keys(eager));
    expect("object" in lazy).toBe(true);
    expect("no such member" in lazy).toBe(false);
  });

  it("is read-only, like a module namespace", () => {
    expect(() => Object.assign(lazy, { string: 1 })).toThrow(TypeError);
    expect(() => Reflect.deleteProperty(lazy, "string")).not.toThrow();
    expect(lazy.string).toBe(eager.string);
  });

  it("keeps zod and other heavy dependencies out of the eager imports of the package root", async () => {
    const { metafile } = await build({
      entryPoints: [root],
      bundle: true,
      splitting: true,
      packages: "external",
      external: ["#*"],
      conditions: ["kubewright-source"],
      format: "esm",
      platform: "node",
      outdir: "unwritten",
      write: false,
      metafile: true,
    });
    const loaded = new Set<string>();
    const visit = (file: string): void => {
      for (const { path, kind, external } of metafile.outputs[file]?.imports ?? []) {
        if (kind !== "import-statement" || loaded.has(path)) continue;
        loaded.add(path);
        if (external !== true) visit(path);
      }
    };
    visit(
      Object.keys(metafile.outputs).find((file) =>
        metafile.outputs[file]?.entryPoint?.endsWith("kubewright/src/index.ts"),
      ) ?? "",
    );

    const packages = [...loaded].filter((path) => !path.startsWith("node:") && !path.includes("unwritten"));
    expect(packages).toContain("#zod");
    expect(packages.filter((path) => !path.startsWith("@kubewright/core/"))).toEqual(["#zod"]);
  });
});
