import { spawn } from "node:child_process";

/** How a program ended, and all that it printed. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of Node in `cwd`. Resolves however it ends; rejects when it cannot be started. */
export function runProgram(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // npm is a script on Windows, which only a shell starts.
    const child = spawn(program, args, { cwd, shell: process.platform === "win32" && program === "npm" });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        output[name] += chunk;
      });
    child.on("error", reject).on("close", (status) => resolve({ status, ...output }));
  });
}

/** Runs npm without questions and advertisements. Rejects with its output when it fails. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const quiet = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, stdout, stderr } = await runProgram("npm", [...args, ...quiet], cwd);
  if (status !== 0) throw new Error(`"npm ${args.join(" ")}" ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}
