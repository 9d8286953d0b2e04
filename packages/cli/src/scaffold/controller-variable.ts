import type { ProjectResource } from "./project.js";

/** The name of a controller's variable. */
export function controllerVariable({ kind }: ProjectResource): string {
  return `${kind.charAt(0).toLowerCase()}${kind.slice(1)}Controller`;
}
