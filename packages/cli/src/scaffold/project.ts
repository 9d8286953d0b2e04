import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { parse, stringify } from "yaml";

/** Who defines a resource: the project, Kubernetes, or another project whose CRD was imported. */
export type ResourceOrigin = "own" | "core" | "external";

/** One resource of a project. */
export interface ProjectResource {
  readonly origin: ResourceOrigin;
  /** Of an own resource without the domain of the project. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Whether the objects have a namespace. */
  readonly namespaced: boolean;
  /** Whether the project has a controller for it. */
  readonly controller: boolean;
  /** Undefined without webhooks. */
  readonly webhooks?: ProjectWebhooks;
}

/** The webhooks of a resource, by kubebuilder's names. */
export interface ProjectWebhooks {
  readonly defaulting?: boolean;
  readonly validation?: boolean;
  readonly conversion?: boolean;
  /** Versions that are converted to the hub. */
  readonly spoke?: readonly string[];
}

/** The settings of a scaffolded project, kept in its PROJECT file. */
export interface Project {
  readonly projectName: string;
  /** The end of all API groups. */
  readonly domain: string;
  /** Folders by API group. */
  readonly multigroup: boolean;
  /** The operator watches its own namespace only. */
  readonly namespaced: boolean;
  readonly resources: readonly ProjectResource[];
}

const head = "# The settings of this project, for `kubewright create`. Do not edit.\n";

/** The PROJECT file, with kubebuilder's fields. */
export function projectFile({ projectName, domain, multigroup, namespaced, resources }: Project): string {
  return (
    head +
    stringify({
      version: "3",
      layout: ["kubewright.dev/v1"],
      projectName,
      domain,
      ...(multigroup && { multigroup }),
      ...(namespaced && { namespaced }),
      resources: resources.map(({ origin, namespaced: isNamespaced, webhooks, controller, ...names }) => ({
        ...names,
        ...(origin === "own" ? { domain } : { [origin]: true }),
        ...(controller && { controller }),
        api: { ...(origin === "own" && { crdVersion: "v1" }), namespaced: isNamespaced },
        ...(webhooks && { webhooks: { ...webhooks, webhookVersion: "v1" } }),
      })),
    })
  );
}

/** Reads the PROJECT file of a folder. Rejects with CONFIG_INVALID if there is none, or not one of ours. */
export async function readProject(folder: string): Promise<Project> {
  const text = await readFile(join(folder, "PROJECT"), "utf8").catch(() => undefined);
  if (text === undefined)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot find the file PROJECT in "${folder}": run this in the folder that \`kubewright init\` made`,
    );
  const value = parse(text) as Partial<Record<string, unknown>> | null;
  if (!Array.isArray(value?.["layout"]) || !value["layout"].includes("kubewright.dev/v1"))
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot use the file PROJECT in "${folder}": its layout is not kubewright.dev/v1, so another tool made it`,
    );
  const { projectName, domain, multigroup = false, namespaced = false, resources = [] } = value as unknown as Project;
  return {
    projectName,
    domain,
    multigroup,
    namespaced,
    resources: (resources as unknown as readonly WrittenResource[]).map(
      ({ group, version, kind, plural, api, webhooks, core, external, controller = false }) => ({
        origin: core ? "core" : external ? "external" : "own",
        group,
        version,
        kind,
        plural,
        namespaced: api?.namespaced ?? true,
        controller,
        ...(webhooks && { webhooks: webhooksOf(webhooks) }),
      }),
    ),
  };
}

/** A resource as the PROJECT file has it. */
interface WrittenResource extends Omit<ProjectResource, "origin" | "namespaced"> {
  readonly core?: boolean;
  readonly external?: boolean;
  readonly api?: { readonly namespaced?: boolean };
}

function webhooksOf({ defaulting, validation, conversion, spoke }: ProjectWebhooks): ProjectWebhooks {
  return {
    ...(defaulting && { defaulting }),
    ...(validation && { validation }),
    ...(conversion && { conversion }),
    ...(spoke && { spoke }),
  };
}
