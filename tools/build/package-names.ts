/** The folders of the published packages, dependencies first. */
export const packageNames: readonly string[] = [
  "core",
  "kubewright",
  "cluster",
  "testing",
  "codegen",
  "cli",
  "create-kubewright",
];

/** The name by which a consumer imports the package of a folder. */
export function publishedName(folder: string): string {
  return folder === "kubewright" || folder === "create-kubewright" ? folder : `@kubewright/${folder}`;
}
