import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { parseAllDocuments } from "yaml";

/** One published CustomResourceDefinition. */
export interface PublishedDefinition {
  /** The Go module that it comes from. */
  readonly project: string;
  readonly name: string;
  readonly definition: JsonObject;
}

/** Where the modules of `tools/corpus/go.mod` keep their CRDs: a file, or a folder, not recursive. */
const places: Readonly<Record<string, string>> = {
  "github.com/argoproj/argo-rollouts": "manifests/crds",
  "github.com/cert-manager/cert-manager": "deploy/crds",
  "github.com/cloudnative-pg/cloudnative-pg": "config/crd/bases",
  "github.com/crossplane/crossplane": "cluster/crds",
  "github.com/elastic/cloud-on-k8s/v3": "config/crds/v1/resources",
  "github.com/external-secrets/external-secrets": "config/crds/bases",
  "github.com/fluxcd/kustomize-controller": "config/crd/bases",
  "github.com/fluxcd/source-controller": "config/crd/bases",
  "github.com/kedacore/keda/v2": "config/crd/bases",
  "github.com/kubernetes-csi/external-snapshotter/client/v8": "config/crd",
  "github.com/kyverno/kyverno": "config/crds/kyverno",
  "github.com/longhorn/longhorn-manager": "k8s/crds.yaml",
  "github.com/prometheus-operator/prometheus-operator": "example/prometheus-operator-crd",
  "github.com/rook/rook": "deploy/examples/crds.yaml",
  "github.com/tektoncd/pipeline": "config/300-crds",
  "istio.io/api": "kubernetes/customresourcedefinitions.gen.yaml",
  "knative.dev/serving": "config/core/300-resources",
  "sigs.k8s.io/cluster-api": "core/config/crd/bases",
  "sigs.k8s.io/gateway-api": "config/crd/experimental",
  "sigs.k8s.io/kueue": "config/components/crd/bases",
};

/**
 * The CRDs that well-known projects publish in their Go modules, read from the local Go module cache, which `go mod download` fills.
 * CRDs of more than `maxBytes` are left out. Sorted by project and name.
 *
 * Rejects if Go is not installed or a module cannot be downloaded.
 */
export async function publishedDefinitions(maxBytes = Number.POSITIVE_INFINITY): Promise<PublishedDefinition[]> {
  const found = await Promise.all(
    (await downloadedModules()).map(async ({ Path: project, Dir: folder }) => {
      const place = places[project];
      if (place === undefined)
        throw new TypeError(
          `Cannot read module "${project}": add the path of its CRDs to conformance/definitions/corpus.ts`,
        );
      const files = await yamlFiles(join(folder, place));
      const contents = await Promise.all(files.map((file) => readFile(file, "utf8")));
      return contents.flatMap((text) => definitionsIn(text, maxBytes).map((definition) => entry(project, definition)));
    }),
  );
  return found.flat().sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

interface DownloadedModule {
  readonly Path: string;
  readonly Dir: string;
}

/** Downloads the declared modules without their dependencies. */
async function downloadedModules(): Promise<DownloadedModule[]> {
  const cwd = fileURLToPath(new URL("../../tools/corpus", import.meta.url));
  const go = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)("go", args, { cwd, maxBuffer: 1 << 24 })).stdout;
  const declared = JSON.parse(await go("mod", "edit", "-json")) as {
    readonly Require: readonly { readonly Path: string; readonly Version: string }[];
  };
  const output = await go(
    "mod",
    "download",
    "-json",
    ...declared.Require.map(({ Path, Version }) => `${Path}@${Version}`),
  );
  return output
    .split(/^(?=\{)/m)
    .filter((text) => text.trim() !== "")
    .map((text) => JSON.parse(text) as DownloadedModule);
}

async function yamlFiles(place: string): Promise<string[]> {
  if (!(await stat(place)).isDirectory()) return [place];
  const names = await readdir(place);
  return names
    .filter((name) => name.endsWith(".yaml") && basename(name) !== "kustomization.yaml")
    .map((name) => join(place, name));
}

function definitionsIn(text: string, maxBytes: number): JsonObject[] {
  return text
    .split(/^---.*$/m)
    .filter((document) => document.length <= maxBytes && /^kind: CustomResourceDefinition$/m.test(document))
    .flatMap((document) => parseAllDocuments(document).map((parsed) => parsed.toJS() as unknown))
    .filter((value) => isJsonObject(value as never)) as JsonObject[];
}

function entry(project: string, definition: JsonObject): PublishedDefinition {
  const { name } = definition["metadata"] as { readonly name: string };
  return { project, name, definition };
}

function sortKey({ project, name }: PublishedDefinition): string {
  return `${project} ${name}`;
}
