import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importCRD } from "@kubewright/codegen";
import type { Schema } from "@kubewright/core/schema";
import { crdOf, defineResource, z } from "kubewright";
import { parse, stringify } from "yaml";
import { type Figure, measure } from "./measure.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const definitionCount = 50;
const lineCount = 5_000;

/** Type-checking of projects with 1 and 50 definitions, and conversion of a large CRD to TypeScript and back. */
export async function measureDefinitions(): Promise<Readonly<Record<string, Figure[]>>> {
  return {
    "Type-checking a project": await measureTypes(),
    [`A CRD of ${lineCount} lines`]: await measureLarge(),
  };
}

/** As in a user's project: against the packages' declarations, with strict settings. */
async function measureTypes(): Promise<Figure[]> {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const run = (args: readonly string[]): void => {
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...args], { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`Cannot measure the compiler: it exited with ${status}: ${stdout.slice(0, 500)}`);
  };
  run(["-b", "packages/kubewright"]);
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const figures: Figure[] = [];
  for (const count of [1, definitionCount]) {
    const folder = mkdtempSync(join(cache, "definitions-"));
    try {
      writeProject(folder, count);
      figures.push(
        await measure(`${count} definitions`, 5, async () => {
          run(["-p", folder]);
          return async () => {};
        }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return figures;
}

function writeProject(folder: string, count: number): void {
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `kind-${index}.ts`), moduleText(index));
}

/** A definition of about thirty fields, and a controller that uses it. */
function moduleText(index: number): string {
  const fields = [
    "z.string().min(1)",
    "z.int32().min(0).default(1)",
    'z.enum(["a", "b"]).optional()',
    "z.boolean().optional()",
  ];
  const group = Array.from({ length: 8 }, (_, at) => `field${at}: ${fields[at % fields.length]}`).join(", ");
  return `import { controller, defineResource, k, z } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
export const Kind${index} = defineResource({
  group: "example.com",
  kind: "Kind${index}",
  versions: {
    v1: {
      spec: z.object({
        ${group},
        nested: z.object({ ${group}, list: k.mapList(z.object({ name: z.string(), ${group} }), ["name"]).optional() }).optional(),
        template: k.podTemplate().optional(),
      }),
      status: z.object({ ${group} }),
      conditions: { Ready: ["Yes", "No"] },
    },
  },
});
export const kind${index} = controller(Kind${index}, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply, status, conditions }) => {
    await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { a: object.spec.field0 } });
    status.field1 = object.spec.nested?.list?.length ?? object.spec.field1;
    conditions.set("Ready", { status: true, reason: "Yes" });
  },
});
`;
}

async function measureLarge(): Promise<Figure[]> {
  const schema = largeSchema();
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "larges.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Large", listKind: "LargeList", plural: "larges", singular: "large" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  const text = stringify(definition, { aliasDuplicateObjects: false });
  const nothing = async (): Promise<void> => {};
  const spec = z.object({ parts: z.array(zodOf(partSchema)).optional() });
  return [
    await measure("from YAML to TypeScript", 20, async () => {
      importCRD(parse(text));
      return nothing;
    }),
    await measure("from a parsed CRD to TypeScript", 20, async () => {
      importCRD(definition);
      return nothing;
    }),
    await measure("from zod to a CRD", 20, async () => {
      const fields = Object.fromEntries(
        Object.keys(schema.properties?.["spec"]?.properties ?? {}).map((name) => [name, spec]),
      );
      crdOf(defineResource({ group: "example.com", kind: "Large", versions: { v1: { spec: z.object(fields) } } }));
      return nothing;
    }),
  ];
}

/** Part of a schema, typical of workload CRDs. */
const partSchema: Schema = {
  type: "object",
  description: "A part of a large object.",
  required: ["name"],
  properties: Object.fromEntries(
    ["name", "image", "command", "size", "enabled", "labels"].map((name): [string, Schema] => [
      name,
      name === "size"
        ? { type: "integer", format: "int32", minimum: 0, maximum: 100, description: "How many." }
        : name === "labels"
          ? { type: "object", additionalProperties: { type: "string" } }
          : { type: "string", minLength: 1, maxLength: 63, pattern: "^[a-z]+$", description: "A string." },
    ]),
  ),
};

function largeSchema(): Schema {
  const properties: Record<string, Schema> = {};
  const whole = (): Schema => ({ type: "object", properties: { spec: { type: "object", properties } } });
  for (let index = 0; stringify(whole(), { aliasDuplicateObjects: false }).split("\n").length < lineCount; index++)
    for (let more = 0; more < 20; more++)
      properties[`group${index}x${more}`] = {
        type: "object",
        properties: { parts: { type: "array", items: partSchema } },
      };
  return whole();
}

function zodOf({ properties = {}, required = [] }: Schema): z.ZodObject {
  return z.object(
    Object.fromEntries(
      Object.entries(properties).map(([name, { type }]) => {
        const field =
          type === "integer"
            ? z.int32().min(0).max(100)
            : type === "object"
              ? z.record(z.string(), z.string())
              : z.string().min(1).max(63);
        return [name, required.includes(name) ? field : field.optional()];
      }),
    ),
  );
}
