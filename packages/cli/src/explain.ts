import { fieldAt, type ResourceVersion, resourceVersions, type SchemaField } from "@kubewright/codegen";
import { loadForGeneration } from "@kubewright/core/meta";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { loadExports } from "./load-exports.js";
import { exportedResources } from "./resources-of.js";

/** The options of `kubewright explain`. */
export interface ExplainOptions {
  readonly module: string;
  readonly apiVersion?: string;
  readonly recursive?: boolean;
  readonly output: string;
}

/** Describes a kind or one of its fields, as `kubectl explain` does. */
export async function explainCommand(
  path: string,
  { module, apiVersion, recursive = false, output }: ExplainOptions,
  { out, err }: CommandStreams,
): Promise<ExitCode> {
  const [name = "", ...fields] = path.split(".");
  const resources = exportedResources(Object.values(await loadForGeneration(() => loadExports(module))));
  const versions = resources.flatMap((resource) => resourceVersions(resource));
  const notFound = (why: string): ExitCode => {
    err.write(`error: Cannot explain "${path}": ${why}\n`);
    return exitCodes.notFound;
  };
  const named = versions.filter((one) => isNamed(one, name));
  if (named.length === 0) {
    const known = [...new Set(versions.map(({ singular }) => singular))].join(", ");
    return notFound(
      `"${module}" has no kind of that name; it has ${known || "none"}. kubectl explains the kinds of a cluster`,
    );
  }
  const found = apiVersion === undefined ? named[0] : named.find((one) => isOfVersion(one, apiVersion));
  if (found === undefined)
    return notFound(`it has no version "${apiVersion}", but ${named.map(({ version }) => version).join(", ")}`);
  const field = fields.length === 0 ? undefined : fieldAt(found.fields, fields);
  if (fields.length > 0 && field === undefined) return notFound(`it has no such field${hint(found.fields, fields)}`);
  const text = field === undefined ? kindText(found, recursive) : fieldText(found, field, recursive);
  out.write(output === "json" ? `${JSON.stringify(field ?? found, undefined, 2)}\n` : text);
  return exitCodes.done;
}

function isNamed({ kind, plural, singular, shortNames }: ResourceVersion, name: string): boolean {
  return [kind.toLowerCase(), plural, singular, ...shortNames].includes(name.toLowerCase());
}

function isOfVersion({ group, version }: ResourceVersion, apiVersion: string): boolean {
  return apiVersion === version || apiVersion === `${group}/${version}`;
}

/** The fields beside the one that is missing. */
function hint(fields: readonly SchemaField[], path: readonly string[]): string {
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const parent = depth === 0 ? fields : fieldAt(fields, path.slice(0, depth))?.fields;
    if (parent === undefined) continue;
    const names = parent.map(({ name }) => name).join(", ");
    const where = depth === 0 ? "it" : path.slice(0, depth).join(".");
    return `: ${where} has ${names || "no fields"}`;
  }
  return "";
}

function kindText(resource: ResourceVersion, recursive: boolean): string {
  const rules = resource.rules.map((rule) => `    - ${rule}\n`).join("");
  return `${head(resource)}\nDESCRIPTION:\n${indented(resource.description || "<empty>")}\n${rules}\nFIELDS:\n${list(resource.fields, recursive)}`;
}

function fieldText(resource: ResourceVersion, field: SchemaField, recursive: boolean): string {
  const { name, type, required, description, limits, fields } = field;
  const facts = [
    ...(field.default === undefined ? [] : [`default: ${JSON.stringify(field.default)}`]),
    ...limits.map((limit) => `limit: ${limit}`),
  ];
  return [
    head(resource),
    `FIELD: ${name} <${type}>${required ? " -required-" : ""}`,
    "",
    "DESCRIPTION:",
    indented([description || "<empty>", ...facts].join("\n")),
    ...(fields.length === 0 ? [""] : ["", "FIELDS:", list(fields, recursive)]),
  ].join("\n");
}

function head({ group, kind, version }: ResourceVersion): string {
  return `GROUP:      ${group}\nKIND:       ${kind}\nVERSION:    ${version}\n`;
}

function list(fields: readonly SchemaField[], recursive: boolean, indent = "  "): string {
  return fields
    .map((field) => {
      const line = `${indent}${field.name}\t<${field.type}>${field.required ? " -required-" : ""}\n`;
      if (recursive) return line + list(field.fields, true, `${indent}  `);
      return field.description === "" ? line : `${line}${indented(field.description, `${indent}  `)}\n`;
    })
    .join("");
}

function indented(text: string, indent = "    "): string {
  return text
    .split("\n")
    .map((line) => `${indent}${line}`)
    .join("\n");
}
