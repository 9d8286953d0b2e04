import { isForbidden, isUnauthorized } from "@kubewright/core/errors";
import type { JsonObject } from "@kubewright/core/json";
import { type Client, crdOf, type Operator } from "kubewright";
import { fieldChanges } from "kubewright/client";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { resourcesOf } from "../resources-of.js";
import { type Check, type CheckResult, ok } from "./check.js";

/** Supported minor versions of Kubernetes 1. */
const oldest = 33;
const newest = 36;

/** The checks of the cluster itself and of the operator's CRDs. */
export function clusterChecks(client: Client, operator: Operator): Check[] {
  return [
    { name: "API server", run: () => server(client) },
    ...resourcesOf(operator).map((kind) => ({
      name: `CRD ${kind.plural}.${kind.group}`,
      run: () => installed(client, operator, crdOf(kind) as unknown as JsonObject, `${kind.plural}.${kind.group}`),
    })),
  ];
}

async function server(client: Client): Promise<CheckResult> {
  try {
    const { gitVersion, minor } = await client.version();
    const number = Number.parseInt(minor, 10);
    if (number >= oldest && number <= newest) return ok(`Kubernetes ${gitVersion}`);
    return {
      status: "warning",
      detail: `Kubernetes ${gitVersion} is outside of 1.${oldest} to 1.${newest}, with which Kubewright is tested`,
    };
  } catch (error) {
    if (isUnauthorized(error))
      return {
        status: "failed",
        detail: "the credentials are rejected (401)",
        remedy: "log in again, or use another --context",
      };
    if (isForbidden(error)) return ok("it responds; its version is not shown to this user");
    throw error;
  }
}

async function installed(
  client: Client,
  { name: fieldManager }: Operator,
  crd: JsonObject,
  name: string,
): Promise<CheckResult> {
  const found = await client.find(CustomResourceDefinition, name);
  if (found === undefined) return { status: "failed", detail: "not installed", remedy: "kubewright install" };
  const { conditions = [], storedVersions = [] } = found.status ?? {};
  const bad = conditions.find(
    ({ type, status }) => (type === "Established" || type === "NamesAccepted") && status !== "True",
  );
  if (bad)
    return {
      status: "failed",
      detail: `${bad.type} is ${bad.status}: ${bad.message ?? ""}`,
      remedy: "resolve the conflict of names",
    };
  // The server normalises a CRD, so only it can tell whether an apply would change something. Where and how objects are converted is the deployment's.
  const { conversion: _, ...spec } = crd["spec"] as JsonObject;
  const after = await client.apply(CustomResourceDefinition, { ...crd, spec } as never, {
    fieldManager,
    force: true,
    dryRun: true,
  });
  const changes = fieldChanges(found.spec as unknown as JsonObject, after.spec as unknown as JsonObject, {
    values: false,
    path: ".spec",
  }).filter(({ path }) => !path.startsWith(".spec.conversion"));
  if (changes.length > 0)
    return {
      status: "failed",
      detail: `differs from the program: ${changes
        .slice(0, 3)
        .map(({ path }) => path)
        .join(", ")}${changes.length > 3 ? " and more" : ""}`,
      remedy: "kubewright install --dry-run, then kubewright install",
    };
  const storage = found.spec.versions.find((version) => version.storage)?.name;
  const old = storedVersions.filter((version) => version !== storage);
  if (old.length > 0)
    return { status: "warning", detail: `objects are still stored in ${old.join(", ")}`, remedy: "kubewright migrate" };
  return ok("installed and up to date");
}
