/**
 * The files of a new project, and of a kind in it.
 *
 * @module
 */
export { apiFiles, controllerVariable } from "./api-files.js";
export type { License } from "./license-files.js";
export { answersTo } from "./missing-answers.js";
export { withController } from "./operator-file.js";
export { isInteractive, printReport } from "./print-report.js";
export { projectFile, readProject } from "./project.js";
export { projectFiles } from "./project-files.js";
export { requireName, scaffoldPlural } from "./scaffold-names.js";
export { writeScaffold } from "./write-scaffold.js";
