import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { type Command, Option } from "commander";
import type { CommandStreams } from "../command-streams.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";

/** The options of `kubewright create api`. */
interface CreateApiOptions {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly plural?: string;
  readonly clusterScoped?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly dir: string;
  readonly output: string;
}

/** Adds `kubewright create api`. */
export function addCreateCommands(
  program: Command,
  streams: CommandStreams,
  finish: (running: Promise<ExitCode>) => Promise<void>,
): void {
  program
    .command("create")
    .description("Add to a project that `kubewright init` made.")
    .command("api")
    .description("Add a kind: its definition, a controller and a test.")
    .option("--group <group>", "API group, without the domain of the project (default: that of the first kind)")
    .option("--version <version>", "version (default: v1alpha1)")
    .option("--kind <kind>", "kind, in CamelCase and singular")
    .option("--plural <plural>", "plural (default: the English plural of the kind in lower case)")
    .option("--cluster-scoped", "the objects have no namespace")
    .option("--dir <dir>", "directory of the project", ".")
    .option("--dry-run", "list the files and write nothing")
    .option("--force", "replace files that exist with another content")
    .addOption(new Option("-o, --output <format>", "output format").default("text").choices(["text", "json"]))
    .addHelpText(
      "after",
      `
Examples:
  kubewright create api --group web --version v1 --kind Website
  kubewright create api --kind Tenant --cluster-scoped --dry-run

The controller is added to src/operator.ts at its markers. Then: npm run generate`,
    )
    .action(async (options: CreateApiOptions) => finish(createApiCommand(options, streams)));
}

async function createApiCommand(options: CreateApiOptions, streams: CommandStreams): Promise<ExitCode> {
  const scaffold = await import("../scaffold/index.js");
  const { dir, dryRun = false, force = false, clusterScoped = false } = options;
  const project = await scaffold.readProject(dir);
  const interactive = options.output === "text" && scaffold.isInteractive(streams);
  if (options.kind === undefined && !interactive)
    throw new OperatorError("CONFIG_INVALID", "Cannot create an API: --kind is missing, such as --kind Website");
  const answers = await scaffold.answersTo(
    {
      kind: { use: "kind", given: options.kind, byDefault: "Website", message: "Kind, in CamelCase" },
      group: { use: "group", given: options.group, byDefault: project.resources[0]?.group ?? "demo", message: "Group" },
      version: { use: "version", given: options.version, byDefault: "v1alpha1", message: "Version" },
    },
    interactive,
  );
  if (answers === undefined) return exitCodes.failed;
  const { kind, group, version } = answers;
  const plural = options.plural ?? scaffold.scaffoldPlural(kind);
  for (const [use, name] of [
    ["kind", kind],
    ["group", group],
    ["version", version],
    ["plural", plural],
  ] as const)
    scaffold.requireName(use, name);
  const resource = { group, version, kind, plural, namespaced: !clusterScoped };
  requireNew(project, resource);
  const next = { ...project, resources: [...project.resources, resource] };
  const operatorFile = join(dir, "src", "operator.ts");
  const before = await readFile(operatorFile, "utf8").catch(() => undefined);
  const text = before === undefined ? undefined : scaffold.withController(before, project, resource);
  const files = [
    ...scaffold.apiFiles(project, resource),
    { path: "PROJECT", text: scaffold.projectFile(next), isUpdate: true },
    ...(text === undefined ? [] : [{ path: "src/operator.ts", text, isUpdate: true }]),
  ];
  const report = await scaffold.writeScaffold(dir, files, { dryRun, force });
  if (text === undefined)
    streams.err.write(
      `note: src/operator.ts has no scaffold markers; add ${scaffold.controllerVariable(resource)} to its controllers\n`,
    );
  scaffold.printReport(streams.out, {
    folder: dir,
    dryRun,
    report,
    next: dryRun ? [] : ["npm run generate", "npm test"],
    format: options.output,
  });
  return exitCodes.done;
}

/** Throws CONFIG_INVALID when the project has the kind, or a kind of another group without multigroup. */
function requireNew(
  {
    resources,
    multigroup,
  }: { readonly multigroup: boolean; readonly resources: readonly { readonly group: string; readonly kind: string }[] },
  { group, kind }: { readonly group: string; readonly kind: string },
): void {
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot create ${kind} of the group "${group}": ${why}`);
  if (resources.some((known) => known.group === group && known.kind === kind))
    throw fail("the project has it; add versions in its definition");
  const [first] = resources;
  if (!multigroup && first !== undefined && first.group !== group)
    throw fail(`the project has the group "${first.group}"; use that one, or set \`multigroup: true\` in PROJECT`);
}
