import { controllerVariable, modulesOf } from "./api-files.js";
import type { Project, ProjectResource } from "./project.js";

const importsMarker = "// +kubewright:scaffold:imports";
const controllersMarker = "// +kubewright:scaffold:controllers";

/** `src/operator.ts` of a new project. */
export function operatorText(project: Project): string {
  const text = `import { operator } from "kubewright";
${importsMarker}

/** Everything that this program runs. Importing it starts nothing; main.ts runs it. */
export const projectOperator = operator({
  name: "${project.projectName}",
  controllers: [
    ${controllersMarker}
  ],
});
`;
  return project.resources.reduce((result, resource) => withController(result, project, resource) ?? result, text);
}

/** \`src/operator.ts\` with the controller of a resource added at its markers; undefined if a marker is missing. */
export function withController(text: string, project: Project, resource: ProjectResource): string | undefined {
  const name = controllerVariable(resource);
  if (!text.includes(importsMarker) || !text.includes(controllersMarker)) return undefined;
  const importLine = `import { ${name} } from "./${modulesOf(project, resource).controller}.js";`;
  if (text.includes(importLine)) return text;
  return text
    .replace(importsMarker, `${importLine}\n${importsMarker}`)
    .replace(controllersMarker, `${name},\n    ${controllersMarker}`);
}
