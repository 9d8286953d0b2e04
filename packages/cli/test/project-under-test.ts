import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../src/run-command.js";

/** A folder with the module of an operator, which the test writes, and the commands that work on it. */
export interface ProjectUnderTest extends AsyncDisposable {
  /** Path of the module. */
  readonly module: string;
  /** Runs a command, named first, with the module as its first argument. */
  run(...command: readonly string[]): Promise<{ code: number; out: string; err: string }>;
}

/** Makes a folder in this package, so that the module finds kubewright. It is removed at the end. */
export async function projectUnderTest(kubeconfig: string): Promise<ProjectUnderTest> {
  const scratch = join(import.meta.dirname, "..", ".kubewright");
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, "project-"));
  const module = join(folder, "operator.ts");
  return {
    module,
    async run(name = "", ...args) {
      let [out, err] = ["", ""];
      const code = await runCommand([name, module, "--kubeconfig", kubeconfig, ...args], {
        out: { write: (text) => (out += text) },
        err: { write: (text) => (err += text) },
      });
      return { code, out, err };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
