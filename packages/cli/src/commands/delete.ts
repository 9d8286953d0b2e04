import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import type { Command } from "commander";
import type { CommandStreams } from "../command-streams.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import type { OperatorMember, Project, ProjectResource } from "../scaffold/index.js";
import { type CommandLine, missingOption, outputOption } from "./command-line.js";

/** The options of `kubewright delete api` and `delete webhook`. */
interface DeleteOptions {
  readonly kind?: string;
  readonly group?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly dir: string;
  readonly output: string;
}

/** Adds `kubewright delete`. */
export function addDeleteCommands({ program, streams, finish }: CommandLine): void {
  const group = program.command("delete").description("Remove from a project what `kubewright create` added.");
  const command = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .option("--kind <kind>", "a kind of the project; asked for in a terminal")
      .option("--group <group>", "its API group, where several have the kind")
      .option("--dir <dir>", "directory of the project", ".")
      .option("--dry-run", "list the files and remove nothing")
      .option("--force", "also remove files that you have changed")
      .addOption(outputOption());
  command("api", "Remove a kind: its definition, controller, webhooks and tests.")
    .addHelpText(
      "after",
      "\nExamples:\n  kubewright delete api --kind Tenant\n  kubewright delete api --kind Tenant --dry-run",
    )
    .action(async (options: DeleteOptions, api: Command) => finish(deleteCommand(api, options, streams)));
  command(
    "webhook",
    "Remove the defaults and the validation of a kind. Versions and conversions stay: objects may be stored in them.",
  )
    .addHelpText("after", "\nExamples:\n  kubewright delete webhook --kind Website")
    .action(async (options: DeleteOptions, webhook: Command) => finish(deleteCommand(webhook, options, streams)));
}

async function deleteCommand(command: Command, options: DeleteOptions, streams: CommandStreams): Promise<ExitCode> {
  const what = command.name() === "api" ? "api" : "webhook";
  const { out, err } = streams;
  const scaffold = await import("../scaffold/index.js");
  const { dir, dryRun = false, force = false, output } = options;
  const project = await scaffold.readProject(dir);
  const interactive = output === "text" && scaffold.isInteractive(streams);
  if (options.kind === undefined && !interactive) missingOption(command, "--kind <kind>");
  const named =
    options.kind === undefined
      ? await scaffold.chooseKind(project, `Kind whose ${what} to delete`)
      : { kind: options.kind, ...(options.group !== undefined && { group: options.group }) };
  if (named === undefined) return exitCodes.failed;
  const resource = scaffold.resourceOf(project, named);
  const hasWebhook = resource.webhooks?.defaulting === true || resource.webhooks?.validation === true;
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot delete the ${what} of ${resource.kind}: ${why}`);
  if (what === "webhook" && !hasWebhook) throw fail("it has neither defaults nor validation");
  const files = await filesOf(what, project, resource);
  const changed: string[] = [];
  for (const [path, text] of files) {
    const found = await readFile(join(dir, path), "utf8").catch(() => undefined);
    if (found === undefined) files.delete(path);
    else if (text !== undefined && found.replaceAll("\r\n", "\n") !== text) changed.push(path);
  }
  if (changed.length > 0 && !force)
    throw fail(`you have changed ${changed.map((path) => `"${path}"`).join(", ")}; use --force to remove them too`);
  const members = [
    ...(hasWebhook ? [scaffold.webhookMember(project, resource)] : []),
    ...(what === "api" ? [scaffold.apiMember(project, resource)] : []),
  ];
  const next = {
    ...project,
    resources: project.resources.flatMap((one) => (one === resource ? remaining(what, one) : [one])),
  };
  const updates = [
    { path: "PROJECT", text: scaffold.projectFile(next), isUpdate: true },
    ...(await operatorFileWithout(dir, members, err)),
  ];
  const { updated } = await scaffold.writeScaffold(dir, updates, { dryRun, force });
  if (!dryRun) for (const path of files.keys()) await rm(join(dir, path));
  const removed = [...files.keys()];
  if (output === "json") out.write(`${JSON.stringify({ folder: dir, dryRun, removed, updated })}\n`);
  else {
    const verb = (done: string, would: string): string => (dryRun ? `would ${would}` : done);
    const lines = [
      ...removed.map((path) => `${verb("removed", "remove")}: ${path}`),
      ...updated.map((path) => `${verb("updated", "update")}: ${path}`),
    ];
    out.write(`${lines.join("\n")}\n`);
  }
  return exitCodes.done;
}

/** The files that were made for it, with their original text; undefined for one that `create` itself changes later. */
async function filesOf(
  what: "api" | "webhook",
  project: Project,
  resource: ProjectResource,
): Promise<Map<string, string | undefined>> {
  const { apiFiles, modulesOf, webhookFiles } = await import("../scaffold/index.js");
  const { defaulting = false, validation = false, spoke = [] } = resource.webhooks ?? {};
  const own = what === "api" ? apiFiles(project, resource) : [];
  const hooks = defaulting || validation ? webhookFiles(project, resource, { defaulting, validation }) : [];
  const files = new Map<string, string | undefined>([...own, ...hooks].map(({ path, text }) => [path, text]));
  if (what === "api" && resource.origin === "external") {
    // Their text came from a file.
    const { api, controller } = modulesOf(project, resource);
    files.set(`src/${api}.ts`, undefined);
    files.set(`src/${controller}.test.ts`, undefined);
  }
  if (what === "api" && spoke.length > 0) {
    const { api } = modulesOf(project, resource);
    files.set(`src/${api}.ts`, undefined);
    files.set(`src/${api}-conversion.test.ts`, undefined);
  }
  return files;
}

function remaining(what: "api" | "webhook", { webhooks, ...resource }: ProjectResource): ProjectResource[] {
  if (what === "api") return [];
  const { defaulting: _, validation: __, ...others } = webhooks ?? {};
  return [{ ...resource, ...(Object.keys(others).length > 0 && { webhooks: others }) }];
}

async function operatorFileWithout(dir: string, members: readonly OperatorMember[], err: CommandStreams["err"]) {
  const { withoutMember } = await import("../scaffold/index.js");
  const path = "src/operator.ts";
  let text = await readFile(join(dir, path), "utf8").catch(() => "");
  for (const member of members) {
    const without = withoutMember(text, member);
    if (without === undefined) err.write(`note: remove ${member.variable} from ${path} yourself\n`);
    text = without ?? text;
  }
  return text === "" ? [] : [{ path, text, isUpdate: true }];
}
