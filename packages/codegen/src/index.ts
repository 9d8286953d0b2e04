/**
 * What writes files: the manifests of an operator, out of its definitions and controllers.
 *
 * Takes: operators and resources. Gives: YAML files, the same bytes for the same definitions.
 *
 * @module
 */

export { type GenerateOptions, generateManifests } from "./generate-manifests.js";
export type { GeneratedFile } from "./generated-file.js";
export { importCRD } from "./import-crd.js";
export { type WriteOptions, type WriteReport, writeManifests } from "./write-manifests.js";
