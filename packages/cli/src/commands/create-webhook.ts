import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import type { Command } from "commander";
import type { CommandStreams } from "../command-streams.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import type { Project, ProjectResource, ScaffoldFile } from "../scaffold/index.js";
import { type CommandLine, missingOption, outputOption } from "./command-line.js";
import { operatorFileWith } from "./operator-file.js";

/** The options of `kubewright create webhook`. */
interface CreateWebhookOptions {
  readonly kind?: string;
  readonly group?: string;
  readonly defaulting?: boolean;
  readonly programmaticValidation?: boolean;
  readonly conversion?: boolean;
  readonly spoke?: readonly string[];
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly dir: string;
  readonly output: string;
}

/** Adds `kubewright create webhook` to `create`. */
export function addCreateWebhookCommand(create: Command, { streams, finish }: CommandLine): void {
  create
    .command("webhook")
    .description("Add webhooks to a kind: defaults, validation, conversion between versions; with tests.")
    .option("--kind <kind>", "a kind of the project")
    .option("--group <group>", "its API group, where several have the kind")
    .option("--defaulting", "complete objects before they are stored")
    .option("--programmatic-validation", "validate objects beyond their schema")
    .option("--conversion", "convert between the hub and other versions")
    .option("--spoke <version...>", "with --conversion: further versions, such as v1beta1")
    .option("--dir <dir>", "directory of the project", ".")
    .option("--dry-run", "list the files and write nothing")
    .option("--force", "replace files that exist with another content")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright create webhook --kind Website --defaulting --programmatic-validation
  kubewright create webhook --kind Website --conversion --spoke v1beta1

The webhook is added to src/operator.ts, versions to the definition, at their markers. Then: npm run generate

Asks for what is missing when a terminal is attached.`,
    )
    .action(async (options: CreateWebhookOptions, command: Command) =>
      finish(createWebhookCommand(options, streams, command)),
    );
}

/** What a webhook does. */
const purposes = {
  defaulting: "complete objects before they are stored",
  validation: "validate objects beyond their schema",
  conversion: "convert between versions",
} as const;

async function createWebhookCommand(
  options: CreateWebhookOptions,
  streams: CommandStreams,
  command: Command,
): Promise<ExitCode> {
  const scaffold = await import("../scaffold/index.js");
  const { dir, dryRun = false, force = false, output } = options;
  const project = await scaffold.readProject(dir);
  const interactive = output === "text" && scaffold.isInteractive(streams);
  if (options.kind === undefined && !interactive) missingOption(command, "--kind <kind>");
  const named =
    options.kind === undefined
      ? await scaffold.chooseKind(project, "Kind")
      : { kind: options.kind, ...(options.group !== undefined && { group: options.group }) };
  if (named === undefined) return exitCodes.failed;
  const resource = scaffold.resourceOf(project, named);
  const given = (["defaulting", "programmaticValidation", "conversion"] as const).filter((name) => options[name]);
  const wanted =
    given.length === 0 && interactive
      ? await scaffold.chooseSome("What it does", purposes)
      : given.map((name) => (name === "programmaticValidation" ? "validation" : name));
  if (wanted === undefined) return exitCodes.failed;
  const [defaulting, validation, conversion] = [
    wanted.includes("defaulting"),
    wanted.includes("validation"),
    wanted.includes("conversion"),
  ];
  let { spoke: spokes = [] } = options;
  if (conversion && spokes.length === 0 && interactive) {
    const question = { use: "version", given: undefined, byDefault: "v1beta1", message: "Further version" } as const;
    const answers = await scaffold.answersTo({ spoke: question }, true);
    if (answers === undefined) return exitCodes.failed;
    spokes = [answers.spoke];
  }
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot create a webhook of ${resource.kind}: ${why}`);
  if (!defaulting && !validation && !conversion)
    throw fail("choose what it does: --defaulting, --programmatic-validation, --conversion");
  if (conversion && resource.origin !== "own")
    throw fail("another project defines its versions, and so their conversion");
  if (conversion !== spokes.length > 0)
    throw fail("--conversion and --spoke belong together: --conversion --spoke v1beta1");
  const known = resource.webhooks?.spoke ?? [];
  for (const spoke of spokes) {
    scaffold.requireName("version", spoke);
    if (spoke === resource.version || known.includes(spoke)) throw fail(`it has the version ${spoke}`);
  }
  const hooks = {
    ...resource.webhooks,
    ...(defaulting && { defaulting }),
    ...(validation && { validation }),
    ...(conversion && { conversion, spoke: [...known, ...spokes] }),
  };
  const resources = project.resources.map((one) => (one === resource ? { ...resource, webhooks: hooks } : one));
  const isAdmission = defaulting || validation;
  const files = [
    ...(isAdmission ? scaffold.webhookFiles(project, resource, { defaulting, validation }) : []),
    ...(isAdmission ? await operatorFileWith(dir, scaffold.webhookMember(project, resource), streams) : []),
    ...(conversion ? await conversionFiles({ dir, project, resource, spokes }) : []),
    { path: "PROJECT", text: scaffold.projectFile({ ...project, resources }), isUpdate: true },
  ];
  const report = await scaffold.writeScaffold(dir, files, { dryRun, force });
  const next = dryRun ? [] : ["npm run generate", "npm test"];
  scaffold.printReport(streams.out, { folder: dir, dryRun, report, next, format: output });
  return exitCodes.done;
}

/** The definition with further versions, and the test of their conversions. */
async function conversionFiles({
  dir,
  project,
  resource,
  spokes,
}: {
  readonly dir: string;
  readonly project: Project;
  readonly resource: ProjectResource;
  readonly spokes: readonly string[];
}): Promise<ScaffoldFile[]> {
  const { conversionTest, modulesOf, withSpoke } = await import("../scaffold/index.js");
  const { api } = modulesOf(project, resource);
  let text: string | undefined = await readFile(join(dir, "src", `${api}.ts`), "utf8").catch(() => undefined);
  for (const spoke of spokes) text = text === undefined ? undefined : withSpoke(text, spoke);
  if (text === undefined)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot add versions to "src/${api}.ts": it has no scaffold markers; add them to \`versions\` and \`convert\` by hand`,
    );
  return [
    { path: `src/${api}.ts`, text, isUpdate: true },
    {
      path: `src/${api}-conversion.test.ts`,
      text: conversionTest(resource.kind, `./${api.slice(api.lastIndexOf("/") + 1)}.js`),
      isUpdate: true,
    },
  ];
}
