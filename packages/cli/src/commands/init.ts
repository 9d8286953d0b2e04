import { basename, resolve } from "node:path";
import { type Command, Option } from "commander";
import type { CommandStreams } from "../command-streams.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import type { License } from "../scaffold/index.js";
import { type CommandLine, outputOption } from "./command-line.js";

/** The options of `kubewright init`. */
interface InitOptions {
  readonly name?: string;
  readonly domain?: string;
  readonly group?: string;
  readonly version: string;
  readonly kind?: string;
  readonly license: License;
  readonly namespaced?: boolean;
  readonly multigroup?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly output: string;
}

/** Adds `kubewright init`. */
export function addInitCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("init")
    .description("Scaffold an operator project: sources, a test, manifests, Dockerfile, CI workflow, lint rules.")
    .argument("[dir]", "directory of the project; created if it does not exist", ".")
    .option("--name <name>", "name of the project and of the operator (default: the directory's name)")
    .option("--domain <domain>", "domain of the API groups (default: example.com)")
    .option("--group <group>", "group of the first kind, without the domain (default: demo)")
    .option("--version <version>", "version of the first kind", "v1alpha1")
    .option("--kind <kind>", "first kind, in CamelCase (default: Greeting)")
    .addOption(
      new Option("--license <license>", "licence of the project").default("apache2").choices(["apache2", "none"]),
    )
    .option("--namespaced", "the operator watches its own namespace only")
    .option("--multigroup", "folders by API group")
    .option("--dry-run", "list the files and write nothing")
    .option("--force", "replace files that exist with another content")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright init website-operator
  kubewright init website-operator --domain example.com --group web --kind Website
  kubewright init . --dry-run                          list the files in the current directory

Asks for what is missing when a terminal is attached, and takes the defaults otherwise.`,
    )
    .action(async (dir, options: InitOptions) => finish(initCommand(dir, options, { streams, program })));
}

async function initCommand(
  dir: string,
  options: InitOptions,
  { streams, program }: { readonly streams: CommandStreams; readonly program: Command },
): Promise<ExitCode> {
  const {
    answersTo,
    isInteractive,
    manifestFiles,
    printReport,
    projectFiles,
    requireName,
    scaffoldPlural,
    writeScaffold,
  } = await import("../scaffold/index.js");
  const { version, license, namespaced = false, multigroup = false, dryRun = false, force = false } = options;
  const projectName = options.name ?? basename(resolve(dir));
  requireName("project", projectName);
  const answers = await answersTo(
    {
      domain: { use: "domain", given: options.domain, byDefault: "example.com", message: "Domain of your API groups" },
      group: { use: "group", given: options.group, byDefault: "demo", message: "Group of the first kind" },
      kind: { use: "kind", given: options.kind, byDefault: "Greeting", message: "First kind, in CamelCase" },
    },
    options.output === "text" && isInteractive(streams),
  );
  if (answers === undefined) return exitCodes.failed;
  const { domain, group, kind } = answers;
  requireName("domain", domain);
  requireName("group", group);
  requireName("version", version);
  requireName("kind", kind);
  const resource = {
    origin: "own",
    group,
    version,
    kind,
    plural: scaffoldPlural(kind),
    namespaced: true,
    controller: true,
  } as const;
  const project = { projectName, domain, multigroup, namespaced, resources: [resource] };
  const files = projectFiles(project, { version: program.version() ?? "0.1.0", license });
  const all = [...files, ...(await manifestFiles(project, files))];
  const report = await writeScaffold(dir, all, { dryRun, force });
  const next = dryRun
    ? []
    : [...(resolve(dir) === resolve(".") ? [] : [`cd ${dir}`]), "npm install", "npm test", "npm run dev"];
  printReport(streams.out, { folder: dir, dryRun, report, next, format: options.output });
  return exitCodes.done;
}
