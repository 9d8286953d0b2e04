import { type GeneratedFile, generatedHeader, yamlFile } from "./generated-file.js";

/** The folders that are applied to a cluster, in this order. */
const applied = ["crd", "rbac", "manager", "webhook"];

/** Those that a kustomization of the user may add to `default/`: they need prometheus-operator, or labels of namespaces. */
const optional = ["prometheus", "network-policy", "samples"];

/** A kustomization per folder, and `default/`, which applies all of them: `kubectl apply --server-side -k config/default`. */
export function kustomizeFiles(files: readonly GeneratedFile[]): GeneratedFile[] {
  const folders = [...applied, ...optional].filter((folder) => inFolder(files, folder).length > 0);
  return [
    ...folders.map((folder) =>
      kustomization(
        folder,
        inFolder(files, folder).map(({ path }) => path.slice(folder.length + 1)),
      ),
    ),
    kustomization(
      "default",
      folders.filter((folder) => applied.includes(folder)).map((folder) => `../${folder}`),
    ),
  ];
}

/** All objects that are applied to a cluster, in one file: the Namespace first, then CRDs, RBAC, Deployments and webhooks. */
export function installerFile(files: readonly GeneratedFile[]): GeneratedFile {
  const isNamespace = ({ path }: GeneratedFile): boolean => path === "manager/namespace.yaml";
  const ordered = applied
    .flatMap((folder) => inFolder(files, folder))
    .filter(({ path }) => !path.endsWith("/kustomization.yaml"))
    .sort((a, b) => Number(isNamespace(b)) - Number(isNamespace(a)));
  const documents = ordered.map(({ text }) =>
    text
      .split("\n")
      .filter((line) => !line.startsWith(generatedHeader))
      .join("\n"),
  );
  const head = `${generatedHeader}: all manifests in one file. kubectl apply --server-side -f install.yaml\n`;
  return { path: "install.yaml", text: `${head}---\n${documents.join("---\n")}`, remarks: [] };
}

function inFolder(files: readonly GeneratedFile[], folder: string): readonly GeneratedFile[] {
  return files.filter(({ path }) => path.startsWith(`${folder}/`));
}

function kustomization(folder: string, resources: readonly string[]): GeneratedFile {
  return yamlFile(`${folder}/kustomization.yaml`, {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: [...resources].sort(),
  });
}
