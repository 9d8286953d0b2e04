import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { OperatorError } from "@kubewright/core/errors";
import type { BuildContext, BuildFailure, Plugin } from "esbuild";
import { findUp } from "./find-up.js";

/**
 * A TypeScript or JavaScript module of a project, which can be loaded again after a change of its files.
 *
 * The project's own files become one module, and packages stay imports: a load evaluates the project and nothing else, and leaves one small module
 * behind, because Node never unloads a module.
 */
export class ProjectModule implements AsyncDisposable {
  readonly #name: string;
  readonly #file: string;
  readonly #folder: string;
  readonly #plugins: Plugin[];
  #context: BuildContext<{ metafile: true; write: false }> | undefined;
  /** The build in progress, or the last one. */
  #building: Promise<string> | undefined;
  #inputs: readonly string[];
  #loads = 0;

  /** `ownFramework`: the framework is this command's, for a project without installed packages. */
  constructor(file: string, { ownFramework = false }: { readonly ownFramework?: boolean } = {}) {
    this.#name = file;
    this.#file = resolve(file);
    // Inside the project: packages are resolved from there.
    this.#folder = join(dirname(findUp("package.json", dirname(this.#file)) ?? this.#file), ".kubewright", "modules");
    this.#plugins = ownFramework ? [ownLocations, framework] : [ownLocations];
    this.#inputs = [this.#file];
  }

  /** The project's files that the last successful build read. */
  get inputs(): readonly string[] {
    return this.#inputs;
  }

  /** How often it was loaded. */
  get loads(): number {
    return this.#loads;
  }

  /** Builds and evaluates the module, and returns its exports. Rejects with CONFIG_INVALID when that fails. */
  async load(): Promise<Readonly<Record<string, unknown>>> {
    if (!existsSync(this.#file)) throw this.#failed("no such file", undefined);
    this.#building = this.#build();
    const text = await this.#building;
    this.#loads += 1;
    // A name of its own: Node evaluates a module once for each URL.
    const built = join(this.#folder, `${randomUUID()}.mjs`);
    await mkdir(this.#folder, { recursive: true });
    await writeFile(built, text);
    try {
      return (await import(pathToFileURL(built).href)) as Readonly<Record<string, unknown>>;
    } catch (cause) {
      throw this.#failed(cause instanceof Error ? cause.message : String(cause), cause);
    } finally {
      await rm(built, { force: true });
    }
  }

  /** Ends the compiler, which would keep the process alive. A load in progress is awaited. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#building?.catch(() => {});
    await this.#context?.dispose();
  }

  async #build(): Promise<string> {
    // Loaded on use: most commands load no module.
    const { context } = await import("esbuild");
    this.#context ??= await context({
      entryPoints: [this.#file],
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20.19",
      sourcemap: "inline",
      metafile: true,
      write: false,
      logLevel: "silent",
      plugins: this.#plugins,
    });
    try {
      const { outputFiles, metafile } = await this.#context.rebuild();
      this.#inputs = Object.keys(metafile.inputs)
        .map((path) => resolve(path))
        .filter((path) => !path.includes(`${sep}node_modules${sep}`));
      return outputFiles[0]?.text ?? "";
    } catch (cause) {
      throw this.#failed(describeFailure(cause), cause);
    }
  }

  #failed(why: string, cause: unknown): OperatorError {
    return new OperatorError("CONFIG_INVALID", `Cannot load "${this.#name}": ${why}`, { cause });
  }
}

/** `src/operator.ts:3:7: Expected ";"`, one line for each error. */
function describeFailure(error: unknown): string {
  const { errors } = error as Partial<BuildFailure>;
  if (!Array.isArray(errors) || errors.length === 0) return error instanceof Error ? error.message : String(error);
  return errors
    .map(({ text, location }) =>
      location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text,
    )
    .join("\n");
}

const loaders = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".mjs": "js",
  ".cjs": "js",
} as const;

/** Files keep their own `import.meta.url`, `dirname` and `filename`: a project may read files beside its sources. */
const ownLocations: Plugin = {
  name: "own-locations",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes("import.meta")) return undefined;
      const loader = loaders[extname(path) as keyof typeof loaders] ?? "js";
      const contents = text
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)))
        .replaceAll(/\bimport\.meta\.filename\b/g, JSON.stringify(path));
      return { contents, loader };
    }),
};

/** The framework by its address, wherever the project is. */
const framework: Plugin = {
  name: "framework",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^kubewright(\/|$)/ }, ({ path }) => ({ path: import.meta.resolve(path), external: true })),
};
