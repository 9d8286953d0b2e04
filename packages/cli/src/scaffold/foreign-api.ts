import { importCRD, sampleOf } from "@kubewright/codegen";
import { OperatorError } from "@kubewright/core/errors";
import { type AnyKind, isResource } from "kubewright";
import type { CustomResourceDefinition } from "kubewright/crd";
import { crdsInFiles } from "../crds-in-files.js";
import type { ImportedApi } from "./api-files.js";

/** Which built-in kind it is, as its module declares it; undefined for none. `group` may be short: `apps`, `networking`, `core`. */
export async function coreKind(group: string, version: string, kind: string): Promise<AnyKind | undefined> {
  const folder = group === "" ? "core" : group.replace(/\..*/, "");
  if (!/^[a-z0-9]+$/.test(`${folder}${version}`)) return undefined;
  const module = (await import(`kubewright/k8s/${folder}/${version}`).catch(() => ({}))) as Record<string, unknown>;
  const value = module[kind];
  const isKind = typeof value === "object" && value !== null && "plural" in value && "scope" in value;
  return isKind && !isResource(value as AnyKind) ? (value as AnyKind) : undefined;
}

/** A kind of a CRD file. */
export interface ExternalKind extends ImportedApi {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Imports the CRD of a kind. Rejects with CONFIG_INVALID when the file has none of it. */
export async function externalKind(file: string, kind: string): Promise<ExternalKind> {
  const crds = (await crdsInFiles([file])) as unknown as readonly CustomResourceDefinition[];
  const found = crds.find(({ spec }) => spec.names.kind === kind);
  const stored = found?.spec.versions.find(({ storage }) => storage);
  if (found === undefined || stored === undefined)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot import ${kind}: "${file}" has ${crds.map(({ spec }) => spec.names.kind).join(", ") || "no CustomResourceDefinition"}`,
    );
  const { properties = {}, ...schema } = stored.schema.openAPIV3Schema;
  const { apiVersion: _, kind: __, metadata: ___, status: ____, ...fields } = properties;
  return {
    group: found.spec.group,
    version: stored.name,
    plural: found.spec.names.plural,
    namespaced: found.spec.scope === "Namespaced",
    text: `// biome-ignore-all format: written by kubewright\n${importCRD(found)}`,
    sample: sampleOf({ ...schema, properties: fields }) as object,
  };
}
