import { kubernetesVersion, type Registry } from "../registry/index.js";
import type { ApiResponse } from "./api-request.js";

const roots = ["/healthz", "/livez", "/readyz"] as const;
type Root = (typeof roots)[number];

/** The post-start hooks of kube-apiserver whose components exist here, in its order. */
const hooks = [
  "start-apiserver-admission-initializer",
  "storage-object-count-tracker-hook",
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "start-system-namespaces-controller",
  "storage-readiness",
  "rbac/bootstrap-roles",
  "scheduling/bootstrap-system-priority-classes",
  "bootstrap-controller",
  "start-kubernetes-service-cidr-controller",
  "apiservice-status-local-available-controller",
  "apiservice-registration-controller",
  "apiservice-discovery-controller",
  "kube-apiserver-autoregistration",
].map((hook) => `poststarthook/${hook}`);

/** They follow the check of registered APIServices. */
const openApiHooks = ["apiservice-openapi-controller", "apiservice-openapiv3-controller"].map(
  (hook) => `poststarthook/${hook}`,
);

const common = [...hooks, "autoregister-completion", ...openApiHooks];

/** The kube-apiserver health checks that apply here, in its order. A server that responds passes them all. */
const checks: Readonly<Record<Root, readonly string[]>> = {
  "/healthz": ["ping", "log", "etcd", ...common],
  "/livez": ["ping", "log", "etcd", ...common],
  "/readyz": ["ping", "log", "etcd", "etcd-readiness", "informer-sync", ...common, "shutdown"],
};

/** Health check paths. */
export function isHealthPath(path: string): boolean {
  return rootOf(path) !== undefined;
}

/** Serves health, version, and the list of paths; undefined for other paths. */
export function serverInfo(
  path: string,
  query: Readonly<Record<string, string>>,
  registry: Registry,
): ApiResponse | undefined {
  if (path === "/version" || path === "/version/")
    return { kind: "whole", status: 200, body: versionInfo(), indented: true };
  if (path === "/") return { kind: "whole", status: 200, body: { paths: pathsOf(registry) }, indented: true };
  const root = rootOf(path);
  if (root === undefined) return undefined;
  const check = path.slice(root.length + 1);
  if (check !== "" && !checks[root].includes(check)) return undefined;
  const body = check === "" && query["verbose"] !== undefined ? report(root, query["exclude"]) : "ok";
  return { kind: "whole", status: 200, body, contentType: "text/plain; charset=utf-8" };
}

function rootOf(path: string): Root | undefined {
  return roots.find((root) => path === root || path.startsWith(`${root}/`));
}

function report(root: Root, exclude: string | undefined): string {
  const lines = checks[root].map((check) => `[+]${check} ${check === exclude ? "excluded: " : ""}ok\n`);
  const isUnknown = exclude !== undefined && !checks[root].includes(exclude);
  const warning = isUnknown
    ? `warn: some health checks cannot be excluded: no matches for ${JSON.stringify(exclude)}\n`
    : "";
  return `${lines.join("")}${warning}${root.slice(1)} check passed\n`;
}

function versionInfo(): Readonly<Record<string, string>> {
  const [major = "1", minor = ""] = kubernetesVersion().slice(1).split(".");
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `${kubernetesVersion()}+kubewright`,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "none",
    compiler: "none",
    platform: `${process.platform}/${process.arch}`,
  };
}

function pathsOf(registry: Registry): string[] {
  const paths = new Set([
    ...["/.well-known/openid-configuration", "/api", "/api/v1", "/apis", "/apis/", "/openapi/v2", "/openapi/v3"],
    ...["/openapi/v3/", "/openid/v1/jwks", "/version"],
  ]);
  for (const root of roots) {
    paths.add(root);
    for (const check of checks[root]) paths.add(`${root}/${check}`);
  }
  for (const { group, version } of registry.resources())
    if (group !== "") paths.add(`/apis/${group}`).add(`/apis/${group}/${version}`);
  return [...paths].sort();
}
