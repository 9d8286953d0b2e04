import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateManifests, installerFile } from "@kubewright/codegen";
import { loadForGeneration } from "@kubewright/core/meta";
import { exportedOperator } from "../exported-operator.js";
import { ProjectModule } from "../project-module.js";
import type { Project } from "./project.js";
import { type ScaffoldFile, writeScaffold } from "./write-scaffold.js";

/** The image in the manifests of a project that has none yet, as in kubebuilder. */
export const defaultImage = "controller:latest";

/** The namespace of a project's operator. */
export function operatorNamespace({ projectName }: Pick<Project, "projectName">): string {
  return `${projectName}-system`;
}

/** `config/` and `dist/install.yaml` of a new project: what its `npm run generate` writes. Its packages need not be installed. */
export async function manifestFiles(project: Project, files: readonly ScaffoldFile[]): Promise<ScaffoldFile[]> {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-init-"));
  try {
    await writeScaffold(folder, files, { dryRun: false, force: false });
    const module = join(folder, "src", "operator.ts");
    await using loaded = new ProjectModule(module, { ownFramework: true });
    const operator = exportedOperator(module, await loadForGeneration(() => loaded.load()));
    const manifests = generateManifests({
      operators: [operator],
      namespace: operatorNamespace(project),
      namespaced: project.namespaced,
      image: defaultImage,
    });
    return [
      ...manifests.map(({ path, text }) => ({ path: `config/${path}`, text })),
      { path: "dist/install.yaml", text: installerFile(manifests).text },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
