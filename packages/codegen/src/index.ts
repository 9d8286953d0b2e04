/**
 * Generates the manifests of operators, and imports CRDs as TypeScript.
 *
 * Takes: operators and resources. Returns: YAML files, the same bytes for the same definitions.
 *
 * @module
 */

export type { DefinedResource } from "./defined-resource.js";
export { type GenerateOptions, generateManifests } from "./generate-manifests.js";
export type { GeneratedFile } from "./generated-file.js";
export { importCRD } from "./import-crd.js";
export { installerFile } from "./kustomize-files.js";
export { referencePage } from "./reference-page.js";
export { type ResourceVersion, resourceVersions } from "./resource-versions.js";
export { sampleOf } from "./sample-files.js";
export { fieldAt, type SchemaField } from "./schema-field.js";
export { type WriteOptions, type WriteReport, writeManifests } from "./write-manifests.js";
