import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createProgram, leavesOf } from "./program.js";
import { runCommand } from "./run-command.js";

async function run(...args: string[]) {
  let [out, err] = ["", ""];
  const code = await runCommand(args, {
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  });
  return { code, out, err };
}

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-program-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const nothing = { write: () => {} };
const leaves = leavesOf(createProgram({ streams: { out: nothing, err: nothing }, finish: async () => {} }));
const pathOf = (command: (typeof leaves)[number] | null): string[] =>
  command?.parent ? [...pathOf(command.parent), command.name()] : [];

test.each(leaves.map((leaf) => [pathOf(leaf).join(" "), leaf] as const))(
  "%s --help describes the command and its options, and shows examples of it",
  async (path, leaf) => {
    const { code, out, err } = await run(...path.split(" "), "--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(leaf.description()).toMatch(/^[A-Z].*\.$/s);
    const [, examples = ""] = out.split("\nExamples:\n");
    expect(examples).toMatch(new RegExp(`^ +(source <\\()?kubewright ${path}`, "m"));
    for (const option of leaf.options) expect(option.description, option.flags).toMatch(/\S/);
    expect(out).toContain("--verbose");
  },
);

test("commands print JSON on request, except a program of the user's, whose log is JSON, and a shell script", () => {
  const textOnly = ["run", "completion"];
  const without = leaves.filter((leaf) => !leaf.options.some(({ long }) => long === "--output"));
  expect(without.map((leaf) => pathOf(leaf).join(" ")).toSorted()).toEqual(textOnly.toSorted());
});

test("a failure is one sentence, and --verbose adds where it happened", async () => {
  const folder = await folderWith({ "broken.ts": 'throw new Error("no token");\n' });
  const module = join(folder, "broken.ts");
  const plain = await run("generate", module);
  expect(plain).toEqual({ code: 1, out: "", err: `error: Cannot load "${module}": no token\n` });
  const verbose = await run("generate", module, "--verbose");
  expect(verbose.code).toBe(1);
  expect(verbose.err).toMatch(/^error: Cannot load .*: no token\n.*\n\s+at /);
  expect(verbose.err).toContain("[cause]: Error: no token");
});

test("a tab completes commands, options and their descriptions, in a script for each shell", async () => {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((text: string) => lines.push(text));
  onTestFinished(() => log.mockRestore());
  const printed = async (...args: string[]): Promise<string> => {
    lines.length = 0;
    expect(await run(...args)).toMatchObject({ code: 0, err: "" });
    return lines.join("\n");
  };
  const heads = {
    bash: "# bash completion",
    zsh: "#compdef",
    fish: "# fish completion",
    powershell: "# powershell completion",
  };
  for (const [shell, head] of Object.entries(heads))
    expect((await printed("completion", shell)).startsWith(head), shell).toBe(true);
  expect(await printed("complete", "--", "cluster", "st")).toMatch(
    /^start\tStart an embedded cluster.*\nstop\t.*\nstatus\t/,
  );
  expect(await printed("complete", "--", "generate", "--ins")).toContain("--installer\t");
  expect((await run("completion", "tcsh")).err).toContain("Allowed choices are bash, zsh, fish, powershell");
});

test("version prints what a bug report needs", async () => {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, "..", "package.json"), "utf8"));
  expect((await run("version")).out).toContain(`kubewright ${version}, Node ${process.versions.node}`);
  expect(JSON.parse((await run("version", "-o", "json")).out)).toMatchObject({ kubewright: version, project: {} });
  expect((await run("--version")).out).toBe(`${version}\n`);
});
