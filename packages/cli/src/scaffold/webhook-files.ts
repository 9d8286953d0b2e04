import { kindModule, modulesOf } from "./api-files.js";
import { webhookMember } from "./operator-file.js";
import type { Project, ProjectResource } from "./project.js";
import type { ScaffoldFile } from "./write-scaffold.js";

/** Which functions a webhook starts with. */
export interface WebhookParts {
  readonly defaulting: boolean;
  readonly validation: boolean;
}

/** The webhook of a resource, and its test. They use only what every kind has, so that they compile whatever its schema is. */
export function webhookFiles(project: Project, resource: ProjectResource, parts: WebhookParts): ScaffoldFile[] {
  const { webhook } = modulesOf(project, resource);
  const { variable } = webhookMember(project, resource);
  return [
    {
      path: `src/${webhook}.ts`,
      text: webhookText(project, resource, { ...parts, variable, api: kindModule(project, resource, webhook) }),
    },
    {
      path: `src/${webhook}.test.ts`,
      text: testText(project, resource, {
        ...parts,
        variable,
        module: `./${webhook.slice(webhook.lastIndexOf("/") + 1)}.js`,
      }),
    },
  ];
}

function webhookText(
  { projectName }: Project,
  { kind }: ProjectResource,
  { defaulting, validation, variable, api }: WebhookParts & { readonly variable: string; readonly api: string },
): string {
  const name = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
  const defaulter = `
  default: (${name}) => {
    ${name}.metadata.labels = {
      "app.kubernetes.io/managed-by": "${projectName}",
      ...${name}.metadata.labels,
    };
  },`;
  const validator = `
  validate: ({ object, deny }) => {
    if (object.metadata.name.length > 52) deny("metadata.name", "must have at most 52 characters");
  },`;
  return `import { webhooks } from "kubewright";
import { ${kind} } from "${api}";

/** How a ${kind} is ${[...(defaulting ? ["completed"] : []), ...(validation ? ["validated"] : [])].join(" and ")} before it is stored. */
export const ${variable} = webhooks(${kind}, {${defaulting ? defaulter : ""}${validation ? validator : ""}
});
`;
}

function testText(
  { projectName }: Project,
  { kind, origin }: ProjectResource,
  { defaulting, validation, variable, module }: WebhookParts & { readonly variable: string; readonly module: string },
): string {
  const spec = origin === "own" ? ', spec: { message: "hello" }' : "";
  const defaulted = `
test("a ${kind} gets the label of this operator", async () => {
  const given = { metadata: { name: "first" }${spec} };
  const { object } = await admit(${variable}, { object: given });
  expect(object).toMatchObject({
    metadata: { labels: { "app.kubernetes.io/managed-by": "${projectName}" } },
  });
});
`;
  const denied = `
test("a ${kind} with a long name is rejected with the field", async () => {
  const given = { metadata: { name: "a".repeat(53) }${spec} };
  const { allowed, causes } = await admit(${variable}, { object: given });
  expect(allowed).toBe(false);
  expect(causes.map(({ field }) => field)).toEqual(["metadata.name"]);
});
`;
  return `import { admit } from "@kubewright/testing";
import { expect, test } from "vitest";
import { ${variable} } from "${module}";
${defaulting ? defaulted : ""}${validation ? denied : ""}`;
}
