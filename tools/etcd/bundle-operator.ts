import { join } from "node:path";
import { build } from "esbuild";

/** The program of the etcd operator as one file, from the sources of the workspace. */
export async function bundleOperator(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "..", "..", "operators", "etcd", "src", "main.ts")],
    bundle: true,
    // "module" is the default that this replaces: bundles contain zod.
    conditions: ["module", "kubewright-source"],
    format: "esm",
    platform: "node",
    target: "node20.19",
    write: false,
    logLevel: "error",
    // CommonJS dependencies call `require`.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("esbuild wrote no file for the etcd operator");
  return file.contents;
}
