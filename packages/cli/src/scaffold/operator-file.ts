import { modulesOf } from "./api-files.js";
import { controllerVariable } from "./controller-variable.js";
import type { Project, ProjectResource } from "./project.js";

const importsMarker = "// +kubewright:scaffold:imports";

/** What the scaffold adds to: a list of `operator()`, or the exports, for a resource without a controller. */
export type OperatorPart = "controllers" | "webhooks" | "exports";

/** What is added to an operator: a variable and the module that exports it, relative to `src`. */
export interface OperatorMember {
  readonly part: OperatorPart;
  readonly variable: string;
  readonly module: string;
}

/** `src/operator.ts` of a new project. */
export function operatorText(project: Project): string {
  const text = `import { operator } from "kubewright";
${importsMarker}

/** Everything that this program runs. Importing it starts nothing; main.ts runs it. */
export const projectOperator = operator({
  name: "${project.projectName}",
  controllers: [
    ${markerOf("controllers")}
  ],
  webhooks: [
    ${markerOf("webhooks")}
  ],
});
`;
  return project.resources.reduce(
    (result, resource) => withMember(result, apiMember(project, resource)) ?? result,
    text,
  );
}

/** The controller of a resource, or where it has none, the resource: `generate` writes the CRDs of what the operator's module exports. */
export function apiMember(project: Project, resource: ProjectResource): OperatorMember {
  const { api, controller } = modulesOf(project, resource);
  if (!resource.controller) return { part: "exports", variable: resource.kind, module: api };
  return { part: "controllers", variable: controllerVariable(resource), module: controller };
}

/** The webhook of a resource. */
export function webhookMember(project: Project, resource: ProjectResource): OperatorMember {
  const variable = controllerVariable(resource).replace(/Controller$/, "Webhook");
  return { part: "webhooks", variable, module: modulesOf(project, resource).webhook };
}

/** `src/operator.ts` with a member added at its markers; undefined if a marker is missing. */
export function withMember(text: string, member: OperatorMember): string | undefined {
  const marker = member.part === "exports" ? importsMarker : markerOf(member.part);
  if (!text.includes(importsMarker) || !text.includes(marker)) return undefined;
  const line = importLine(member);
  if (text.includes(line)) return text;
  const imported = text.replace(importsMarker, `${line}\n${importsMarker}`);
  return member.part === "exports" ? imported : imported.replace(marker, `${member.variable},\n    ${marker}`);
}

/** `src/operator.ts` without the lines that {@link withMember} added; undefined if one is missing. */
export function withoutMember(text: string, member: OperatorMember): string | undefined {
  const added = [`${importLine(member)}\n`, ...(member.part === "exports" ? [] : [`    ${member.variable},\n`])];
  if (!added.every((line) => text.includes(line))) return undefined;
  return added.reduce((result, line) => result.replace(line, ""), text);
}

function importLine({ part, variable, module }: OperatorMember): string {
  return `${part === "exports" ? "export" : "import"} { ${variable} } from "./${module}.js";`;
}

function markerOf(part: "controllers" | "webhooks"): string {
  return `// +kubewright:scaffold:${part}`;
}
