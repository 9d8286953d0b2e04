import { runCommand } from "@kubewright/cli";

/** One command, as its `--help` describes it. */
export interface CommandHelp {
  readonly path: readonly string[];
  readonly usage: string;
  readonly description: string;
  readonly options: readonly Row[];
  readonly commands: readonly string[];
  readonly examples: string;
}

interface Row {
  readonly term: string;
  readonly what: string;
}

/** `docs/reference/commands.md`: what each command prints with `--help`, as tables. */
export async function commandsPage(): Promise<string> {
  // A command with others below it does something itself if it takes an argument.
  const acts = ({ usage, commands }: CommandHelp): boolean =>
    commands.length === 0 || /[<[](?!options\]|command\])/.test(usage);
  const sections = (await helpOfAll([])).filter((help) => help.path.length > 0 && acts(help));
  const list = sections.map(({ path, description }) => {
    const name = `kubewright ${path.join(" ")}`;
    return `| [\`${name}\`](#${name.replaceAll(" ", "-")}) | ${escaped(description)} |`;
  });
  const exitCodes = await exitCodeRows();
  return `# Commands

After this page you can use every command of \`kubewright\` and its options. \`kubewright <command> --help\` prints the same.

| Command | Does |
|---|---|
${list.join("\n")}

| Exit code | Meaning |
|---|---|
${exitCodes.join("\n")}

${sections.map(sectionOf).join("\n")}`;
}

/** From the last line of `kubewright --help`. */
async function exitCodeRows(): Promise<string[]> {
  let text = "";
  const out = { write: (more: string) => (text += more) };
  await runCommand(["--help"], { out, err: out });
  const [, codes = ""] = /^Exit codes: (.+)\.$/m.exec(text) ?? [];
  return codes.split(", ").map((code) => code.replace(/^(\d+) (.+)$/, "| $1 | $2 |"));
}

function sectionOf({ path, usage, description, options, examples }: CommandHelp): string {
  const rows = options
    .filter(({ term }) => !term.startsWith("-h,"))
    .map(({ term, what }) => `| \`${term}\` | ${escaped(what)} |`);
  const table = rows.length === 0 ? [] : ["| Option | Effect |", "|---|---|", ...rows, ""];
  return [
    `## kubewright ${path.join(" ")}`,
    "",
    description,
    "",
    "```text",
    usage,
    "```",
    "",
    ...table,
    ...(examples === "" ? [] : ["```sh", examples, "```", ""]),
  ].join("\n");
}

/** A command and those below it. */
export async function helpOfAll(path: readonly string[]): Promise<CommandHelp[]> {
  const help = await helpOf(path);
  const below: CommandHelp[] = [];
  for (const name of help.commands) if (name !== "help") below.push(...(await helpOfAll([...path, name])));
  return [help, ...below];
}

async function helpOf(path: readonly string[]): Promise<CommandHelp> {
  let text = "";
  const out = { write: (more: string) => (text += more) };
  await runCommand([...path, "--help"], { out, err: out });
  const usage = /^Usage: (.+(?:\n {2,}\S.*)*)/m.exec(text)?.[1] ?? "";
  return {
    path,
    usage: usage.replaceAll(/\n\s+/g, " "),
    description: (text.split("\n\n")[1] ?? "").replaceAll(/\s*\n\s*/g, " "),
    options: rowsOf(sectionNamed(text, "Options")),
    commands: rowsOf(sectionNamed(text, "Commands")).map(({ term }) => term.split(" ")[0]?.split("|")[0] ?? ""),
    examples: sectionNamed(text, "Examples").replaceAll(/^ {2}/gm, "").trimEnd(),
  };
}

/** The lines after `Title:` up to the next line that is not indented. */
function sectionNamed(text: string, title: string): string {
  return new RegExp(`^${title}:\\n((?: {2}.*\\n|\\n(?= {2}))*)`, "m").exec(`${text}\n`)?.[1] ?? "";
}

/** Terms with their descriptions, which may continue on lines that are indented further. */
function rowsOf(section: string): Row[] {
  const entries = section.split(/\n(?= {2}\S)/).filter((entry) => entry.trim() !== "");
  return entries.map((entry) => {
    const [, term = "", what = ""] = /^ {2}(\S.*?)(?: {2,}|\n\s+|$)([\s\S]*)/.exec(entry.replace(/^\n/, "")) ?? [];
    return { term, what: what.replaceAll(/\s*\n\s*/g, " ").trim() };
  });
}

function escaped(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
