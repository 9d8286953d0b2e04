import { OperatorError } from "@kubewright/core/errors";
import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport, TransportResponse } from "@kubewright/core/transport";
import { type AnyKind, clusterPath, isResource } from "../definition/index.js";
import { requireDiscovery } from "./require-discovery.js";

/**
 * Checks that the server serves these kinds, so that a missing CRD is an error at the start and not a silent wait.
 *
 * Rejects with CONFIG_INVALID, naming every kind that is missing and what to do; and as {@link requireDiscovery} does, when the response says nothing
 * about kinds.
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
    : "apply the CustomResourceDefinition (kubewright install), or start with `installCRDs`";
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
      const response = await transport.send({ method: "GET", path, ...(signal && { signal }) });
      const served = resourceNames(response);
      if (served === undefined) await requireDiscovery(response, path, transport);
      missing.push(...wanted.filter(({ plural }) => !(served?.has(plural) ?? false)));
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

/** The plurals in an APIResourceList; undefined for any other response. */
function resourceNames({ status, body }: TransportResponse): Set<string> | undefined {
  const resources = status === 200 && isJsonObject(body) ? body["resources"] : undefined;
  if (!Array.isArray(resources)) return undefined;
  return new Set(
    resources.flatMap((resource) =>
      isJsonObject(resource) && typeof resource["name"] === "string" ? [resource["name"]] : [],
    ),
  );
}
