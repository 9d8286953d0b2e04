import { OperatorError } from "@kubewright/core/errors";
import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport } from "@kubewright/core/transport";
import { type AnyKind, clusterPath, isResource } from "../definition/index.js";

/**
 * Checks that the server serves these kinds, so that a missing CRD is an error at the start and not a silent wait.
 *
 * Rejects with CONFIG_INVALID, naming every kind that is missing and what to do.
 */
export async function requireServed(
  kinds: readonly AnyKind[],
  transport: Transport,
  signal?: AbortSignal,
): Promise<void> {
  const missing = await missingKinds(kinds, transport, signal);
  if (missing.length === 0) return;
  const names = missing.map(
    ({ group, version, kind, cluster }) =>
      `${kind} of "${formatApiVersion(group, version)}"${cluster === undefined ? "" : ` in cluster "${cluster}"`}`,
  );
  const isExternal = missing.some((kind) => isResource(kind) && kind.definition.external);
  const cure = isExternal
    ? "install the project that it belongs to"
    : "apply the CustomResourceDefinition, or start with `installCRDs`";
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot start: the server does not serve ${[...new Set(names)].sort().join(", ")}; ${cure}`,
  );
}

/** The kinds that the server does not serve now. */
export async function missingKinds(
  kinds: readonly AnyKind[],
  transport: Transport,
  signal?: AbortSignal,
): Promise<readonly AnyKind[]> {
  const byVersion = groupBy(kinds, pathOf);
  const missing: AnyKind[] = [];
  await Promise.all(
    [...byVersion].map(async ([path, wanted]) => {
      const { status, body } = await transport.send({ method: "GET", path, ...(signal && { signal }) });
      const served = status === 200 ? resourceNames(body) : new Set<string>();
      missing.push(...wanted.filter(({ plural }) => !served.has(plural)));
    }),
  );
  return missing;
}

function pathOf(kind: AnyKind): string {
  const { group, version } = kind;
  return clusterPath(kind) + (group === "" ? `/api/${version}` : `/apis/${group}/${version}`);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function resourceNames(body: unknown): Set<string> {
  const resources = isJsonObject(body) && Array.isArray(body["resources"]) ? body["resources"] : [];
  return new Set(
    resources.flatMap((resource) =>
      isJsonObject(resource) && typeof resource["name"] === "string" ? [resource["name"]] : [],
    ),
  );
}
