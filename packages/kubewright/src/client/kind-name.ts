import { ApiError, OperatorError } from "@kubewright/core/errors";
import { formatApiVersion } from "@kubewright/core/identity";
import type { DiscoveredKind } from "./discovered-kind.js";
import type { Discovered } from "./discovery.js";

/**
 * Names a kind at run time.
 *
 * As text: a kind (`"Deployment"`), a plural, singular or short name (`"deployments"`, `"deploy"`), any of them with its group (`"deployments.apps"`,
 * `"deployments.v1.apps"`, `"apps/Deployment"`) or with group and version (`"apps/v1/Deployment"`, `"v1/ConfigMap"`).
 */
export type KindName =
  | string
  | { readonly group?: string; readonly version?: string; readonly kind: string }
  | { readonly group?: string; readonly version?: string; readonly resource: string };

interface Wanted {
  readonly name: string;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
}

/**
 * The kind of that name; undefined where there is none. Without a version it is the one that the server prefers.
 *
 * A plural, singular or short name means the core group's where that has it, as for kubectl: others serve `pods` and `events` too. Throws
 * CONFIG_INVALID where the name fits kinds of several groups otherwise.
 */
export function findKind(name: KindName, kinds: readonly DiscoveredKind[]): DiscoveredKind | undefined {
  for (const wanted of readings(name)) {
    const found = unambiguous(name, byName(wanted, kinds));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The error for a name that fits nothing, with what comes near. */
export function unknownKind(name: KindName, { kinds, failures }: Discovered): ApiError {
  const near = candidates(name, kinds).map((kind) => `"${printed(kind)}"`);
  const hints = [
    near.length === 0 ? undefined : `did you mean ${near.join(", ")}`,
    failures.length === 0 ? undefined : `some API groups did not respond: ${failures.slice(0, 5).join("; ")}`,
  ].filter((hint) => hint !== undefined);
  const why = ["the server serves no such kind", ...hints].join("; ");
  return new ApiError(404, `Cannot find kind "${printedName(name)}": ${why}`, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: why,
    reason: "NotFound",
    code: 404,
  });
}

/** The ways to read a name, most likely first. */
function readings(name: KindName): Wanted[] {
  if (typeof name !== "string") {
    return [{ name: "kind" in name ? name.kind : name.resource, group: name.group, version: name.version }];
  }
  const parts = name.split("/");
  const [first = "", second = "", third = ""] = parts;
  if (parts.length === 3) return [{ group: first, version: second, name: third }];
  if (parts.length === 2) {
    const byGroup = { group: first, name: second };
    return isVersion(first) ? [{ group: "", version: first, name: second }, byGroup] : [byGroup];
  }
  const [resource = "", version = "", ...rest] = name.split(".");
  if (version === "") return [{ name }];
  const group = [version, ...rest].join(".");
  const byGroup = { name: resource, group };
  return isVersion(version) ? [{ name: resource, version, group: rest.join(".") }, byGroup] : [byGroup];
}

function isVersion(text: string): boolean {
  return /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(text);
}

/** A way to mean a kind by a name. */
interface Meaning {
  readonly fits: (kind: DiscoveredKind, name: string) => boolean;
  /** The core group's is meant before those of others. */
  readonly coreFirst: boolean;
}

/** An exact kind is meant before a plural, that before a singular, a short name, and a kind in other letters. */
const meanings: readonly Meaning[] = [
  { fits: (kind, name) => kind.kind === name, coreFirst: false },
  { fits: (kind, name) => kind.plural === name.toLowerCase(), coreFirst: true },
  { fits: (kind, name) => kind.singular === name.toLowerCase(), coreFirst: true },
  { fits: (kind, name) => kind.shortNames.includes(name.toLowerCase()), coreFirst: true },
  { fits: (kind, name) => kind.kind.toLowerCase() === name.toLowerCase(), coreFirst: false },
];

function byName({ name, group, version }: Wanted, kinds: readonly DiscoveredKind[]): DiscoveredKind[] {
  const inScope = kinds.filter(
    (kind) => (group === undefined || kind.group === group) && (version === undefined || kind.version === version),
  );
  for (const { fits, coreFirst } of meanings) {
    const found = inScope.filter((kind) => fits(kind, name));
    const core = coreFirst ? found.filter((kind) => kind.group === "") : [];
    if (found.length > 0) return core.length > 0 ? core : found;
  }
  return [];
}

function unambiguous(name: KindName, found: readonly DiscoveredKind[]): DiscoveredKind | undefined {
  const byResource = new Map<string, DiscoveredKind>();
  for (const kind of found) {
    const key = `${kind.plural}.${kind.group}`;
    if (!byResource.has(key)) byResource.set(key, kind);
  }
  if (byResource.size < 2) return found[0];
  const choices = [...byResource.values()].map((kind) => `"${printed(kind)}"`).join(", ");
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot resolve kind "${printedName(name)}": it matches ${choices}; name the group too`,
  );
}

function candidates(name: KindName, kinds: readonly DiscoveredKind[]): DiscoveredKind[] {
  const [wanted] = readings(name);
  if (wanted === undefined) return [];
  const text = wanted.name.toLowerCase().slice(0, 63);
  const distance = (kind: DiscoveredKind): number =>
    Math.min(...[kind.kind.toLowerCase(), kind.plural, ...kind.shortNames].map((other) => editDistance(text, other)));
  return kinds
    .map((kind) => ({ kind, distance: distance(kind) }))
    .filter((candidate) => candidate.distance <= Math.min(2, text.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ kind }) => kind);
}

/** How many letters one has to change, add or remove. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[to.length] ?? 0;
}

function printed({ group, version, kind }: DiscoveredKind): string {
  return `${formatApiVersion(group, version)}/${kind}`;
}

function printedName(name: KindName): string {
  if (typeof name === "string") return name;
  const { group = "", version = "" } = name;
  return [group, version, "kind" in name ? name.kind : name.resource].filter((part) => part !== "").join("/");
}
