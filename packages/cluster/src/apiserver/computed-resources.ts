import { formatApiVersion } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import {
  type Column,
  metadataOf,
  notFound,
  parseListQuery,
  type Registry,
  type Resource,
  textAt,
} from "../registry/index.js";
import type { ApiRequest } from "./api-request.js";
import type { ResourcePath } from "./request-path.js";
import { type ShownResult, wrongMethod } from "./verb-call.js";

/** The data that a computed resource is derived from. */
export interface ComputedSource {
  readonly nowMs: number;
  /** Every stored object of a resource in a namespace (empty: in all namespaces); none if the resource is not served. Frozen. */
  read(group: string, version: string, plural: string, namespace: string): readonly JsonObject[];
}

/** A read-only resource whose objects are computed on request and not stored, such as metrics. */
export interface ComputedResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** @default none */
  readonly shortNames?: readonly string[];
  /** A `Warning` header for every request. @default none */
  readonly warning?: string;
  /** All table columns, including the name. */
  readonly columns: readonly Column[];
  /** All objects of a namespace (empty: of all namespaces), sorted. */
  list(source: ComputedSource, namespace: string): readonly JsonObject[];
}

/** The fields of a resource that discovery shows. */
type ShownFields =
  | "group"
  | "version"
  | "plural"
  | "singular"
  | "kind"
  | "listKind"
  | "namespaced"
  | "verbs"
  | "shortNames"
  | "categories"
  | "subresources";

/** A computed resource in the form that discovery, lookup and views use. */
export interface ServedResource extends Pick<Resource, ShownFields> {
  readonly computed: ComputedResource;
  readonly origin: "custom";
  readonly strategy: {
    readonly table: { readonly columns: readonly Column[] };
    readonly selectableFields: Readonly<Record<string, never>>;
  };
}

/** The computed resources that are currently served. */
export class ComputedResources {
  readonly #served = new Map<string, ServedResource>();
  #generation = 0;

  /** Incremented when the set of served resources changes. */
  get generation(): number {
    return this.#generation;
  }

  /** Serves resources until the returned function is called. */
  serve(resources: readonly ComputedResource[]): () => void {
    const ids = resources.map((resource) => {
      const { group, version, plural, singular, kind, namespaced, columns, shortNames = [] } = resource;
      const id = `${group}/${version}/${plural}`;
      this.#served.set(id, {
        computed: resource,
        group,
        version,
        plural,
        singular,
        kind,
        listKind: `${kind}List`,
        namespaced,
        verbs: ["get", "list"],
        shortNames,
        categories: [],
        subresources: [],
        origin: "custom",
        strategy: { table: { columns }, selectableFields: {} },
      });
      return id;
    });
    this.#generation++;
    return () => {
      for (const id of ids) this.#served.delete(id);
      this.#generation++;
    };
  }

  all(): readonly ServedResource[] {
    return [...this.#served.values()];
  }

  find({ group, version, plural }: ResourcePath): ServedResource | undefined {
    return this.#served.get(`${group}/${version}/${plural}`);
  }
}

/** Serves GET and list of a computed resource. Rejects other verbs. */
export function readComputed(
  registry: Registry,
  served: ServedResource,
  { namespace, name, subresource, isWatch }: ResourcePath,
  { method, query }: ApiRequest,
): ShownResult {
  const { group, version, kind, listKind, plural, computed } = served;
  if (method !== "GET" || isWatch || subresource !== "") throw wrongMethod();
  const apiVersion = formatApiVersion(group, version);
  const source: ComputedSource = {
    nowMs: registry.clock.now(),
    read(ofGroup, ofVersion, ofPlural, inNamespace) {
      const resource = registry.find(ofGroup, ofVersion, ofPlural);
      if (resource === undefined) return [];
      const { records } = registry.store
        .bucket(resource.bucket)
        .scan({ prefix: inNamespace === "" ? "" : `${inNamespace}/` });
      return [...records].map((record) => resource.fromStored(record.object));
    },
  };
  const objects = computed.list(source, namespace).map((object) => ({ kind, apiVersion, ...object }));
  if (name !== "") {
    const found = objects.find((object) => textAt(metadataOf(object), "name") === name);
    if (found === undefined) throw notFound({ group, plural, kind }, namespace === "" ? name : `${namespace}/${name}`);
    return { kind: "object", status: 200, object: found };
  }
  const requested = parseListQuery(served, query, query["watch"] === "true");
  if (query["watch"] === "true") throw wrongMethod();
  const items = objects.filter((object) => requested.matches(object));
  return { kind: "list", status: 200, object: { kind: listKind, apiVersion, metadata: {}, items } };
}
