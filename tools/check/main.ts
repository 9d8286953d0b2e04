/** `npm run check`: runs every gate, shows what failed, and ends with 1 when one did. */
import { spawnSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { gates } from "./gates.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const environment = { ...process.env, PATH: [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter) };
let failed = 0;
for (const { name, command } of gates) {
  const startedMs = performance.now();
  const [program = "", ...args] = command;
  const run = spawnSync(program, args, {
    cwd: root,
    env: environment,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    // The programs are scripts on Windows, which only a shell starts.
    shell: process.platform === "win32",
  });
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  if (run.status === 0) {
    console.log(`${paint("green", "✔")} ${name} ${paint("dim", `${seconds} s`)}`);
  } else {
    failed++;
    console.log(
      `${paint("red", "✘")} ${name} ${paint("dim", `${seconds} s`)}\n${run.stdout}${run.stderr}${run.error?.message ?? ""}`,
    );
  }
}
console.log(failed === 0 ? "All gates passed" : `${failed} of ${gates.length} gates failed`);
process.exitCode = failed === 0 ? 0 : 1;

function paint(colour: "green" | "red" | "dim", text: string): string {
  return process.stdout.isTTY ? styleText(colour, text) : text;
}
