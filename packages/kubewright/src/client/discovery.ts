import { isJsonObject } from "@kubewright/core/json";
import { type DiscoveredKind, discoveredKind, type KindFacts } from "./discovered-kind.js";

/** What a look at a server found. */
export interface Discovered {
  /** In the server's order: preferred versions of a group first. */
  readonly kinds: readonly DiscoveredKind[];
  /** Group versions that did not respond, each with the reason; their kinds are missing above. */
  readonly failures: readonly string[];
}

/** Asks the server for one document. Rejects when it is not a success. */
export type AskDocument = (path: string, headers: Readonly<Record<string, string>>) => Promise<unknown>;

const aggregated = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat("application/json")
  .join(",");

/** More versions than any server has; a server that claims more is not believed. */
const maxGroupVersions = 5_000;

/**
 * Every kind that a server serves.
 *
 * Two requests where the server has aggregated discovery (Kubernetes 1.27 and newer), else two and one per group version. A group version that does
 * not respond, for instance of an aggregated API server that is down, is reported and does not affect the others.
 */
export async function discover(ask: AskDocument): Promise<Discovered> {
  const roots = await Promise.all(["/api", "/apis"].map((path) => ask(path, { accept: aggregated })));
  const found = await Promise.all(
    roots.map((root) => (field(root, "kind") === "APIGroupDiscoveryList" ? readAggregated(root) : askEach(ask, root))),
  );
  return { kinds: found.flatMap(({ kinds }) => kinds), failures: found.flatMap(({ failures }) => failures) };
}

function readAggregated(root: unknown): Discovered {
  const failures: string[] = [];
  const kinds = list(root, "items").flatMap((item) => {
    const group = text(field(item, "metadata"), "name");
    return list(item, "versions").flatMap((served) => {
      const version = text(served, "version");
      if (field(served, "freshness") === "Stale") failures.push(`${group}/${version}: its server does not answer`);
      return list(served, "resources").flatMap((resource) => {
        const kind = text(field(resource, "responseKind"), "kind");
        return kindsOf({
          group,
          version,
          kind,
          plural: text(resource, "resource"),
          singular: text(resource, "singularResource"),
          namespaced: field(resource, "scope") === "Namespaced",
          shortNames: texts(resource, "shortNames"),
          categories: texts(resource, "categories"),
          verbs: texts(resource, "verbs"),
          subresources: list(resource, "subresources").map((subresource) => text(subresource, "subresource")),
        });
      });
    });
  });
  return { kinds, failures };
}

/** The older way: a list of groups, then a document for each version. */
async function askEach(ask: AskDocument, root: unknown): Promise<Discovered> {
  const failures: string[] = [];
  const documents = await Promise.all(
    groupVersions(root)
      .slice(0, maxGroupVersions)
      .map(async ({ group, version }) => {
        const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
        try {
          return readResources(group, version, await ask(path, {}));
        } catch (error) {
          failures.push(`${group}/${version}: ${error instanceof Error ? error.message : String(error)}`);
          return [];
        }
      }),
  );
  return { kinds: documents.flat(), failures };
}

function groupVersions(root: unknown): { readonly group: string; readonly version: string }[] {
  const core = texts(root, "versions").map((version) => ({ group: "", version }));
  const named = list(root, "groups").flatMap((item) => {
    const group = text(item, "name");
    const preferred = text(field(item, "preferredVersion"), "version");
    const versions = list(item, "versions").map((served) => text(served, "version"));
    return [...new Set([preferred, ...versions])]
      .filter((version) => versions.includes(version))
      .map((version) => ({ group, version }));
  });
  return [...core, ...named].filter(({ group, version }) => isSegment(version) && (group === "" || isSegment(group)));
}

function readResources(group: string, version: string, document: unknown): DiscoveredKind[] {
  const resources = list(document, "resources");
  const subresources = new Map<string, string[]>();
  for (const resource of resources) {
    const [parent = "", ...rest] = text(resource, "name").split("/");
    if (rest.length > 0) subresources.set(parent, [...(subresources.get(parent) ?? []), rest.join("/")]);
  }
  return resources.flatMap((resource) => {
    const plural = text(resource, "name");
    return kindsOf({
      group,
      version,
      kind: text(resource, "kind"),
      plural,
      singular: text(resource, "singularName"),
      namespaced: field(resource, "namespaced") === true,
      shortNames: texts(resource, "shortNames"),
      categories: texts(resource, "categories"),
      verbs: texts(resource, "verbs"),
      subresources: subresources.get(plural) ?? [],
    });
  });
}

/** Subresources, and what would lead to another path than it says, are not kinds. */
function kindsOf(facts: KindFacts): DiscoveredKind[] {
  const { group, version, kind, plural } = facts;
  if (kind === "" || !isSegment(plural) || !isSegment(version) || (group !== "" && !isSegment(group))) return [];
  return [discoveredKind(facts)];
}

function isSegment(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text);
}

function field(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function list(value: unknown, name: string): readonly unknown[] {
  const items = field(value, name);
  return Array.isArray(items) ? items : [];
}

function text(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
}

function texts(value: unknown, name: string): string[] {
  return list(value, name).filter((item): item is string => typeof item === "string");
}
