import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { parse, stringify } from "yaml";

/** One resource of a project. */
export interface ProjectResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Whether the objects have a namespace. */
  readonly namespaced: boolean;
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
      resources: resources.map(({ namespaced: isNamespaced, ...names }) => ({
        ...names,
        domain,
        controller: true,
        api: { crdVersion: "v1", namespaced: isNamespaced },
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
    resources: (resources as readonly (ProjectResource & { readonly api?: { readonly namespaced?: boolean } })[]).map(
      ({ group, version, kind, plural, api }) => ({
        group,
        version,
        kind,
        plural,
        namespaced: api?.namespaced ?? true,
      }),
    ),
  };
}
