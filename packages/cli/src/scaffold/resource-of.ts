import { OperatorError } from "@kubewright/core/errors";
import type { Project, ProjectResource } from "./project.js";

/** The resource of a kind. Throws CONFIG_INVALID, with those that there are, when the project has none or several of it. */
export function resourceOf(
  { resources }: Project,
  { kind, group }: { readonly kind: string; readonly group?: string },
): ProjectResource {
  const found = resources.filter((one) => one.kind === kind && (group === undefined || one.group === group));
  const [only, second] = found;
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot find ${kind} in the project: ${why}`);
  if (only === undefined)
    throw fail(
      `its kinds are ${resources.map((one) => `${one.group}/${one.kind}`).join(", ") || "none"}; add it with kubewright create api`,
    );
  if (second !== undefined)
    throw fail(`several groups have it (${found.map((one) => one.group).join(", ")}); name one with --group`);
  return only;
}
