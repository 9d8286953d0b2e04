import { createHash } from "node:crypto";
import { formatApiVersion } from "@kubewright/core/identity";
import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { compareVersions } from "@kubewright/core/meta";
import type { Registry, Resource, Subresource } from "../registry/index.js";
import type { ApiRequest, ApiResponse } from "./api-request.js";
import type { ComputedResources, ServedResource } from "./computed-resources.js";
import { notAcceptable, parseAccept, takesJson } from "./negotiation.js";

/** The order of API groups in kube-apiserver; groups of custom resources follow by name. */
const groupOrder = [
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
  "resource.k8s.io",
  "flowcontrol.apiserver.k8s.io",
];

type ListedResource = Resource | ServedResource;

interface Document {
  readonly body: JsonObject;
  readonly etag: string;
}

/** Discovery documents, per path and aggregated. Rebuilt when the set of served resources changes. */
export class Discovery {
  readonly #registry: Registry;
  readonly #computed: ComputedResources;
  readonly #made = new Map<string, Document>();
  #generation = "";
  /** The addresses on which the server listens, the newest last. */
  readonly #addresses: string[] = [];

  constructor(registry: Registry, computed: ComputedResources) {
    this.#registry = registry;
    this.#computed = computed;
  }

  /** Publishes an address (`127.0.0.1:6443`) until the returned function is called. */
  announce(address: string): () => void {
    this.#addresses.push(address);
    return () => {
      const at = this.#addresses.indexOf(address);
      if (at >= 0) this.#addresses.splice(at, 1);
    };
  }

  /** The latest published address; undefined if the server does not listen. */
  get address(): string | undefined {
    return this.#addresses.at(-1);
  }

  /** Stored and computed resources; a stored one takes precedence over a computed one of the same name. */
  #resources(): ListedResource[] {
    const computed = this.#computed
      .all()
      .filter(({ group, version, plural }) => this.#registry.find(group, version, plural) === undefined);
    return [...this.#registry.resources(), ...computed];
  }

  /** The response for a discovery path; undefined for other paths and for groups that are not served. */
  respond(request: ApiRequest): ApiResponse | undefined {
    const parts = request.path.split("/").filter((part) => part !== "");
    const [root, first, second] = parts;
    if (root !== "api" && root !== "apis") return undefined;
    if (parts.length === 1) {
      const version = aggregatedVersion(request.headers["accept"]);
      return version === undefined
        ? whole(root === "api" ? this.#legacyVersions() : this.#groupList())
        : this.#aggregated(root, version, request);
    }
    if (root === "api") return parts.length === 2 && first === "v1" ? whole(this.#resourceList("", "v1")) : undefined;
    if (parts.length === 2) return this.#group(first ?? "");
    if (parts.length !== 3 || this.#inVersion(first ?? "", second ?? "").length === 0) return undefined;
    return whole(this.#resourceList(first ?? "", second ?? ""));
  }

  #legacyVersions(): JsonObject {
    const serverAddress = this.address;
    const serverAddressByClientCIDRs = serverAddress === undefined ? [] : [{ clientCIDR: "0.0.0.0/0", serverAddress }];
    return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs };
  }

  #groupList(): JsonObject {
    return { kind: "APIGroupList", apiVersion: "v1", groups: this.#groups().map((group) => this.#groupEntry(group)) };
  }

  #group(name: string): ApiResponse | undefined {
    if (name === "" || !this.#groups().includes(name)) return undefined;
    return whole({ kind: "APIGroup", apiVersion: "v1", ...this.#groupEntry(name) });
  }

  #groupEntry(group: string): JsonObject {
    const versions = this.#versions(group).map((version) => ({
      groupVersion: formatApiVersion(group, version),
      version,
    }));
    return { name: group, versions, preferredVersion: versions[0] ?? null };
  }

  #groups(): string[] {
    const names = new Set(this.#resources().map((resource) => resource.group));
    names.delete("");
    const rank = (name: string): number => (groupOrder.includes(name) ? groupOrder.indexOf(name) : groupOrder.length);
    return [...names].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  }

  #versions(group: string): string[] {
    const found = this.#resources().filter((resource) => resource.group === group);
    return [...new Set(found.map((resource) => resource.version))].sort((a, b) => compareVersions(b, a));
  }

  #inVersion(group: string, version: string): ListedResource[] {
    return this.#resources()
      .filter((resource) => resource.group === group && resource.version === version)
      .sort((a, b) => (a.plural < b.plural ? -1 : 1));
  }

  #resourceList(group: string, version: string): JsonObject {
    const resources = this.#inVersion(group, version).flatMap((resource) => [
      listEntry(resource),
      ...resource.subresources.map((part) => subresourceEntry(resource, part)),
    ]);
    return {
      kind: "APIResourceList",
      ...(group === "" ? {} : { apiVersion: "v1" }),
      groupVersion: formatApiVersion(group, version),
      resources,
    };
  }

  #aggregated(root: string, version: string, request: ApiRequest): ApiResponse {
    const generation = `${this.#registry.generation} ${this.#computed.generation}`;
    if (this.#generation !== generation) {
      this.#made.clear();
      this.#generation = generation;
    }
    const key = `${root}/${version}`;
    let document = this.#made.get(key);
    if (!document) {
      const body = this.#makeAggregated(root === "api" ? [""] : this.#groups(), version);
      document = { body, etag: etagOf(body) };
      this.#made.set(key, document);
    }
    const headers = { etag: document.etag, vary: "Accept", "cache-control": "public" };
    const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    const isKnown = request.headers["if-none-match"] === document.etag;
    return {
      kind: "whole",
      status: isKnown ? 304 : 200,
      body: isKnown ? undefined : document.body,
      contentType,
      headers,
    };
  }

  #makeAggregated(groups: readonly string[], apiVersion: string): JsonObject {
    return {
      kind: "APIGroupDiscoveryList",
      apiVersion: `apidiscovery.k8s.io/${apiVersion}`,
      metadata: {},
      items: groups.map((group) => ({
        metadata: group === "" ? {} : { name: group },
        versions: this.#versions(group).map((version) => ({
          version,
          resources: this.#inVersion(group, version).map(aggregatedEntry),
          freshness: "Current",
        })),
      })),
    };
  }
}

function whole(body: JsonObject): ApiResponse {
  return { kind: "whole", status: 200, body };
}

function etagOf(body: JsonObject): string {
  return `"${createHash("sha512").update(JSON.stringify(body)).digest("hex").toUpperCase()}"`;
}

/** The version of aggregated discovery that the client accepts; undefined if it prefers the unaggregated form. */
function aggregatedVersion(accept: string | undefined): string | undefined {
  for (const { type, parameters } of parseAccept(accept)) {
    if (type === "application/yaml") return undefined;
    if (!takesJson(type)) continue;
    if (parameters["as"] !== "APIGroupDiscoveryList" || parameters["g"] !== "apidiscovery.k8s.io") return undefined;
    const version = parameters["v"];
    if (version === "v2") return version;
  }
  throw notAcceptable("only the following media types are accepted: application/json, application/yaml");
}

function names(resource: ListedResource): JsonObject {
  return {
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
  };
}

function listEntry(resource: ListedResource): JsonObject {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...names(resource),
    ...("storageVersionHash" in resource && resource.storageVersionHash !== ""
      ? { storageVersionHash: resource.storageVersionHash }
      : {}),
  };
}

function subresourceEntry(resource: ListedResource, part: Subresource): JsonObject {
  return {
    name: `${resource.plural}/${part.name}`,
    singularName: "",
    namespaced: resource.namespaced,
    ...(part.group === undefined ? {} : { group: part.group, version: part.version ?? "" }),
    kind: part.kind,
    verbs: part.verbs,
  };
}

function aggregatedEntry(resource: ListedResource): JsonValue {
  const own =
    resource.origin === "custom" ? { group: resource.group, version: resource.version } : { group: "", version: "" };
  const subresources = resource.subresources.map((part) => ({
    subresource: part.name,
    responseKind:
      part.group === undefined
        ? { ...own, kind: part.kind }
        : { group: part.group, version: part.version ?? "", kind: part.kind },
    verbs: part.verbs,
  }));
  return {
    resource: resource.plural,
    responseKind: { ...own, kind: resource.kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...names(resource),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
