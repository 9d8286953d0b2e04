/** `npm run check`: runs every gate, prints the output of those that failed, and exits with 1 when one did. */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { binScript } from "../bin-script.js";
import { gates } from "./gates.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
let failed = 0;
for (const { name, command } of gates) {
  const startedMs = performance.now();
  const [program = "", ...args] = command;
  const run = spawnSync(process.execPath, [binScript(root, program), ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
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
