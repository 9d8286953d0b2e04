import { OperatorError } from "@kubewright/core/errors";
import { type Command, Option } from "commander";
import type { CommandStreams } from "../command-streams.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import type { ImportedApi, Project, ProjectResource } from "../scaffold/index.js";
import { type CommandLine, missingOption, outputOption } from "./command-line.js";
import { operatorFileWith } from "./operator-file.js";

/** The options of `kubewright create api`. */
interface CreateApiOptions {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly plural?: string;
  readonly namespaced?: boolean;
  readonly clusterScoped?: boolean;
  readonly resource: boolean;
  readonly controller: boolean;
  readonly externalApiPath?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly dir: string;
  readonly output: string;
}

/** Adds `kubewright create api` to `create`. */
export function addCreateApiCommand(create: Command, { streams, finish }: CommandLine): void {
  create
    .command("api")
    .description("Add a kind: its definition, a controller and a test; or a controller for a kind of others.")
    .option("--group <group>", "API group, without the domain of the project (default: that of the first kind)")
    .option("--version <version>", "version (default: v1alpha1)")
    .option("--kind <kind>", "kind, in CamelCase and singular")
    .option("--plural <plural>", "plural (default: the English plural of the kind in lower case)")
    .option("--namespaced", "the objects have a namespace (the default)")
    .addOption(new Option("--cluster-scoped", "the objects have no namespace").conflicts("namespaced"))
    .addOption(new Option("--resource", "define the kind (the default)").default(true).hideHelp())
    .option("--no-resource", "a built-in kind such as apps/v1 Deployment: a controller only")
    .addOption(new Option("--controller", "write a controller (the default)").default(true).hideHelp())
    .option("--no-controller", "the definition only")
    .addOption(
      new Option("--external-api-path <file>", "a kind of another project, by the YAML of its CRD").conflicts(
        "resource",
      ),
    )
    .option("--dir <dir>", "directory of the project", ".")
    .option("--dry-run", "list the files and write nothing")
    .option("--force", "replace files that exist with another content")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright create api --group web --version v1 --kind Website
  kubewright create api --kind Tenant --cluster-scoped --dry-run
  kubewright create api --group apps --version v1 --kind Deployment --no-resource
  kubewright create api --kind Certificate --external-api-path cert-manager.yaml
  kubewright create api --kind Settings --no-controller

The controller is added to src/operator.ts at its markers. Then: npm run generate`,
    )
    .action(async (options: CreateApiOptions, command: Command) => finish(createApiCommand(options, streams, command)));
}

async function createApiCommand(
  options: CreateApiOptions,
  streams: CommandStreams,
  command: Command,
): Promise<ExitCode> {
  const scaffold = await import("../scaffold/index.js");
  const { dir, dryRun = false, force = false } = options;
  const project = await scaffold.readProject(dir);
  if (!options.controller && !options.resource)
    throw new OperatorError("CONFIG_INVALID", "Cannot create an API: without resource and controller nothing is left");
  const interactive = options.output === "text" && scaffold.isInteractive(streams);
  if (options.kind === undefined && !interactive) missingOption(command, "--kind <kind>");
  const answers = await scaffold.answersTo(
    {
      kind: { use: "kind", given: options.kind, byDefault: "Website", message: "Kind, in CamelCase" },
      group: {
        use: "group",
        given: options.group,
        byDefault: project.resources.find(({ origin }) => origin === "own")?.group ?? "demo",
        message: "Group",
      },
      version: { use: "version", given: options.version, byDefault: "v1alpha1", message: "Version" },
    },
    interactive,
  );
  if (answers === undefined) return exitCodes.failed;
  const { resource, imported } = await resourceFor(answers, options);
  requireNew(project, resource);
  const next = { ...project, resources: [...project.resources, resource] };
  const files = [
    ...scaffold.apiFiles(project, resource, imported),
    { path: "PROJECT", text: scaffold.projectFile(next), isUpdate: true },
    ...(await operatorFileWith(dir, scaffold.apiMember(project, resource), streams)),
  ];
  const report = await scaffold.writeScaffold(dir, files, { dryRun, force });
  scaffold.printReport(streams.out, {
    folder: dir,
    dryRun,
    report,
    next: dryRun ? [] : ["npm run generate", "npm test"],
    format: options.output,
  });
  return exitCodes.done;
}

/** The resource that the answers mean: an own one, a built-in one, or one of a CRD. */
async function resourceFor(
  { kind, group, version }: { readonly kind: string; readonly group: string; readonly version: string },
  options: CreateApiOptions,
): Promise<{ readonly resource: ProjectResource; readonly imported?: ImportedApi }> {
  const scaffold = await import("../scaffold/index.js");
  const { controller, resource: isOwn, externalApiPath: file, clusterScoped = false } = options;
  const fail = (why: string): OperatorError => new OperatorError("CONFIG_INVALID", `Cannot create ${kind}: ${why}`);
  scaffold.requireName("kind", kind);
  if (file !== undefined) {
    const { text, sample, ...names } = await scaffold.externalKind(file, kind);
    return { resource: { origin: "external", kind, controller, ...names }, imported: { text, sample } };
  }
  const known = options.group === undefined ? undefined : await scaffold.coreKind(group, version, kind);
  if (!isOwn) {
    if (known === undefined)
      throw fail(
        `"${group}/${version}" has no such built-in kind; name its group and version, such as --group apps --version v1 --kind Deployment`,
      );
    const { plural, scope } = known;
    const namespaced = scope === "Namespaced";
    return { resource: { origin: "core", group: known.group, version, kind, plural, namespaced, controller } };
  }
  if (known !== undefined) throw fail(`it is a built-in kind of Kubernetes; add --no-resource for a controller of it`);
  const plural = options.plural ?? scaffold.scaffoldPlural(kind);
  scaffold.requireName("group", group);
  scaffold.requireName("version", version);
  scaffold.requireName("plural", plural);
  return { resource: { origin: "own", group, version, kind, plural, namespaced: !clusterScoped, controller } };
}

/** Throws CONFIG_INVALID when the project has the kind, or an own kind of another group without multigroup. */
function requireNew({ resources, multigroup }: Project, { origin, group, kind }: ProjectResource): void {
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot create ${kind} of the group "${group}": ${why}`);
  if (resources.some((known) => known.group === group && known.kind === kind))
    throw fail("the project has it; add versions in its definition");
  if (!multigroup && resources.some((known) => known.kind === kind))
    throw fail("the project has a kind of that name; set `multigroup: true` in PROJECT for folders by group");
  const first = resources.find((known) => known.origin === "own");
  if (!multigroup && origin === "own" && first !== undefined && first.group !== group)
    throw fail(`the project has the group "${first.group}"; use that one, or set \`multigroup: true\` in PROJECT`);
}
