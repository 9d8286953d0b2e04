/**
 * The files of a new project, and of a kind in it.
 *
 * @module
 */
export { apiFiles, type ImportedApi, modulesOf } from "./api-files.js";
export { conversionTest, withSpoke } from "./conversion-files.js";
export { coreKind, externalKind } from "./foreign-api.js";
export type { License } from "./license-files.js";
export { manifestFiles } from "./manifest-files.js";
export { answersTo, chooseKind, chooseSome } from "./missing-answers.js";
export {
  apiMember,
  type OperatorMember,
  webhookMember,
  withMember,
  withoutMember,
} from "./operator-file.js";
export { isInteractive, printReport } from "./print-report.js";
export { type Project, type ProjectResource, projectFile, readProject } from "./project.js";
export { projectFiles } from "./project-files.js";
export { resourceOf } from "./resource-of.js";
export { requireName, scaffoldPlural } from "./scaffold-names.js";
export { webhookFiles } from "./webhook-files.js";
export { type ScaffoldFile, writeScaffold } from "./write-scaffold.js";
