import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageNames, publishedName } from "../build/package-names.js";
import { type Ended, npm, runProgram } from "./run-program.js";

const root = join(import.meta.dirname, "..", "..");

/** A copy of `consumer/` outside the repository, with the packed packages installed: nothing there resolves to a workspace. */
export class ConsumerProject {
  readonly folder: string;
  /** The packed packages. */
  readonly tarballs: readonly string[];

  private constructor(folder: string, tarballs: readonly string[]) {
    this.folder = folder;
    this.tarballs = tarballs;
  }

  /** Builds, packs and installs. The caller removes it. */
  static async make(): Promise<ConsumerProject> {
    const folder = mkdtempSync(join(tmpdir(), "kubewright-consumer-"));
    try {
      cpSync(join(root, "tools", "packages", "consumer"), folder, { recursive: true });
      const packs = join(folder, "packs");
      mkdirSync(packs);
      const build = await runProgram("npm", ["run", "--silent", "build"], root);
      if (build.status !== 0) throw new Error(`Cannot build the packages: ${build.stdout}${build.stderr}`);
      const workspaces = packageNames.map((name) => `--workspace=packages/${name}`);
      await Promise.all([npm(["pack", ...workspaces, `--pack-destination=${packs}`], root), npm(["ci"], folder)]);
      const tarballs = readdirSync(packs).map((file) => join(packs, file));
      await npm(["install", "--no-save", ...tarballs], folder);
      writeFileSync(join(folder, "src", "entry-points.ts"), importsOf(folder));
      return new ConsumerProject(folder, tarballs);
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
  }

  /** Runs a script with this Node, in the project. */
  node(...args: readonly string[]): Promise<Ended> {
    return runProgram(process.execPath, args, this.folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** A module that imports every entry point of every package, so that a compiler checks all declarations. */
function importsOf(folder: string): string {
  const specifiers = packageNames.map(publishedName).flatMap((name) => {
    const installed = join(folder, "node_modules", name);
    const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
      readonly exports: Readonly<Record<string, { readonly types: string }>>;
    };
    return Object.entries(exports).flatMap(([subpath, { types }]) => {
      if (!subpath.includes("*")) return [join(name, subpath)];
      const [start = "", end = ""] = types.slice(2).split("*");
      return readdirSync(installed, { recursive: true, encoding: "utf8" })
        .map((file) => file.replaceAll("\\", "/"))
        .filter((file) => file.startsWith(start) && file.endsWith(end))
        .map((file) => join(name, subpath.replace("*", file.slice(start.length, -end.length))));
    });
  });
  const lines = specifiers.map(
    (specifier, index) => `import type * as _${index} from "${specifier.replaceAll("\\", "/")}";`,
  );
  return `${lines.join("\n")}\nexport type All = [${specifiers.map((_, index) => `typeof _${index}`).join(", ")}];\n`;
}
