import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { importCRD } from "@kubewright/codegen";
import type { CustomResourceDefinition } from "kubewright/crd";
import type { PublishedDefinition } from "./corpus.js";

/** The result of importing CRDs as TypeScript and generating CRDs from that. */
export interface Regenerated {
  /** In the order of the input. */
  readonly definitions: readonly CustomResourceDefinition[];
  /** Compiler errors of all modules; empty if there are none. */
  readonly complaints: string;
  readonly compileMs: number;
}

const repository = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Writes a TypeScript module for each CRD, type-checks them as a strict user project, runs them, and regenerates the
 * CustomResourceDefinition of each.
 */
export async function regenerate(published: readonly PublishedDefinition[]): Promise<Regenerated> {
  const cache = join(repository, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  // Inside the repository: the modules import the packages by name.
  const folder = await mkdtemp(join(cache, "corpus-"));
  try {
    for (const [index, { definition }] of published.entries())
      await writeFile(join(folder, `d${index}.ts`), importCRD(definition));
    const modules = published.map((_, index) => `await import("./d${index}.js")`);
    await writeFile(
      join(folder, "main.ts"),
      `import { crdOf, isResource } from "kubewright";
const modules: object[] = [${modules.join(", ")}];
const made = modules.map((module) => Object.values(module).filter(isResource).map((resource) => crdOf(resource)));
process.stdout.write(JSON.stringify(made.flat()));
`,
    );
    await writeFile(join(folder, "package.json"), `{"type":"module"}`);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(repository, "tsconfig.base.json"),
        compilerOptions: {
          noEmit: true,
          composite: false,
          incremental: false,
          declaration: false,
          declarationMap: false,
        },
        include: ["*.ts"],
      }),
    );
    const startedMs = performance.now();
    const complaints = await run(["node_modules/typescript/bin/tsc", "-p", folder]).catch(
      (error: { readonly stdout?: string }) => error.stdout ?? String(error),
    );
    const compileMs = performance.now() - startedMs;
    const tsx = join(repository, "node_modules/tsx/dist/cli.mjs");
    const output = await run([tsx, "--conditions=kubewright-source", join(folder, "main.ts")]);
    return { definitions: JSON.parse(output) as CustomResourceDefinition[], complaints, compileMs };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(args: readonly string[]): Promise<string> {
  const options = { cwd: repository, maxBuffer: 1 << 30 };
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}
