import { kubernetesVersion, type Registry } from "../registry/index.js";
import type { ApiAnswer } from "./api-request.js";

const health = ["/healthz", "/livez", "/readyz"];

/** The checks that there are. */
const healthPaths = /^\/(healthz|livez|readyz)(\/ping|\/etcd)?$/;

/** Paths that anybody may ask for. */
export function isPublicPath(path: string): boolean {
  return path === "/version" || health.includes(path) || health.some((root) => path.startsWith(`${root}/`));
}

/** Health, version, and the list of paths; undefined when the path is none of them. */
export function serverInfo(
  path: string,
  query: Readonly<Record<string, string>>,
  registry: Registry,
): ApiAnswer | undefined {
  if (path === "/version") return { kind: "whole", status: 200, body: versionInfo() };
  if (path === "/") return { kind: "whole", status: 200, body: { paths: pathsOf(registry) } };
  if (!isPublicPath(path)) return undefined;
  if (!healthPaths.test(path)) return undefined;
  const root = health.find((one) => path === one || path.startsWith(`${one}/`)) ?? "";
  const body = query["verbose"] === undefined ? "ok" : `[+]ping ok\n${root.slice(1)} check passed\n`;
  return { kind: "whole", status: 200, body, contentType: "text/plain; charset=utf-8" };
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
  const paths = new Set(["/api", "/api/v1", "/apis", "/healthz", "/livez", "/openapi/v3", "/readyz", "/version"]);
  for (const { group, version } of registry.resources())
    if (group !== "") paths.add(`/apis/${group}`).add(`/apis/${group}/${version}`);
  return [...paths].sort();
}
