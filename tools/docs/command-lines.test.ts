import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { documents } from "./documents.js";
import { codeBlocks } from "./markdown-code.js";
import { type CommandHelp, helpOfAll } from "./reference/commands-page.js";

const root = join(import.meta.dirname, "..", "..");
let commands: readonly CommandHelp[];
beforeAll(async () => {
  commands = await helpOfAll([]);
});

/** The command lines of `kubewright` in shell blocks and inline code, without comments and what follows `--`. */
function commandLines(markdown: string): string[] {
  const shell = codeBlocks(markdown)
    .filter(({ info }) => info === "sh" || info === "console")
    .flatMap(({ code }) => code.split("\n"));
  const inline = [...markdown.matchAll(/(?<!`)`(kubewright [^`\n]+)`/g)].map(([, line = ""]) => line);
  return [...shell, ...inline].flatMap((line) => {
    const [, rest] = /(?:^|[ $])(?:npm run |npx )?kubewright (?:-- )?(.*)$/.exec(line) ?? [];
    return rest === undefined ? [] : [rest.split(/ # | {3,}| -- | && | \|/)[0]?.trim() ?? ""];
  });
}

/** Why `kubewright` would reject a command line; undefined when it would not. */
function problemOf(line: string): string | undefined {
  const words = line.split(/\s+/);
  const fits = ({ path }: CommandHelp): boolean => path.length > 0 && path.every((word, at) => words[at] === word);
  const command = commands.filter(fits).toSorted((a, b) => b.path.length - a.path.length)[0];
  if (command === undefined) return /^[a-z]/.test(line) ? `no such command: ${line}` : undefined;
  const known = new Set(command.options.flatMap(({ term }) => term.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? []));
  const unknown = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split("=")[0] ?? "");
  const wrong = unknown.filter((option) => !known.has(option) && !known.has(option.replace(/^--/, "--no-")));
  return wrong.length === 0 ? undefined : `${command.path.join(" ")} has no ${wrong.join(", ")}`;
}

test("command lines are found in blocks and inline code, and a wrong one is reported", () => {
  const markdown =
    "Use `kubewright deploy --nowhere`.\n\n```sh\nnpx kubewright dev --context a   # why\nkubectl get pods\n```\n";
  expect(commandLines(markdown)).toEqual(["dev --context a", "deploy --nowhere"]);
  expect(problemOf("dev --context a")).toBeUndefined();
  expect(problemOf("deploy --nowhere")).toBe("deploy has no --nowhere");
  expect(problemOf("fly --high")).toBe("no such command: fly --high");
});

test("every command line of kubewright in the documents has a command and options that exist", () => {
  const found = documents(root)
    .filter((page) => page !== "docs/reference/commands.md")
    .flatMap((page) => commandLines(readFileSync(join(root, page), "utf8")).map((line) => ({ page, line })));
  expect(found.length).toBeGreaterThan(40);
  const problems = found.flatMap(({ page, line }) => {
    const problem = problemOf(line);
    return problem === undefined ? [] : [`${page}: ${problem}`];
  });
  expect(problems).toEqual([]);
});
