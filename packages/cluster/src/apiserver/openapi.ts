import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "@kubewright/core/json";
import { kubernetesVersion, type Registry, type Resource, rawComponent, reachedFrom } from "../registry/index.js";
import type { ApiRequest, ApiResponse } from "./api-request.js";
import { parseAccept, takesJson } from "./negotiation.js";
import { builtinInfo, discoveryDocument, discoveryPlaces } from "./openapi-discovery.js";
import { operationsOf } from "./openapi-paths.js";
import { documentV2 } from "./openapi-v2.js";
import { protobufV2, protobufV2Type } from "./openapi-v2-protobuf.js";

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const listMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
const shared = [
  "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Status",
];

interface Document {
  readonly body: JsonObject;
  readonly hash: string;
}

/** `/openapi`: v3 documents per group version, and the v2 document. Built on request, and rebuilt when the served resources change. */
export class OpenApi {
  readonly #registry: Registry;
  readonly #made = new Map<string, Document>();
  #generation = -1;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** The response for a path below `/openapi`; undefined for other paths. */
  respond(request: ApiRequest): ApiResponse | undefined {
    const isV2 = request.path === "/openapi/v2";
    const isIndex = request.path === "/openapi/v3";
    if (!isV2 && !isIndex && !request.path.startsWith("/openapi/v3/")) return undefined;
    if (this.#generation !== this.#registry.generation) {
      this.#made.clear();
      this.#generation = this.#registry.generation;
    }
    if (isV2) return this.#respondV2(request);
    const place = request.path.slice("/openapi/v3/".length);
    // kube-apiserver sets no content type here, so Go detects text.
    if (isIndex) return { kind: "whole", status: 200, body: this.#root(), contentType: "text/plain; charset=utf-8" };
    if (!this.#hasPlace(place)) return { kind: "whole", status: 404, body: "", contentType: "" };
    const document = this.#document(place);
    const requested = request.query["hash"];
    if (requested !== undefined && requested !== document.hash)
      return {
        kind: "whole",
        status: 301,
        body: "",
        headers: { location: addressOf(place, document), vary: "Accept" },
      };
    const etag = `"${document.hash}"`;
    const headers = {
      etag,
      vary: "Accept",
      ...(requested === undefined ? {} : { "cache-control": "public, immutable" }),
    };
    if (request.headers["if-none-match"] === etag) return { kind: "whole", status: 304, body: undefined, headers };
    return { kind: "whole", status: 200, body: document.body, headers };
  }

  /** OpenAPI v2: one document, as JSON or as the protobuf that kubectl requests. */
  #respondV2(request: ApiRequest): ApiResponse {
    const accepted = parseAccept(request.headers["accept"]).map(({ type }) => type.replace("v2@v1.0", "v2.v1.0"));
    const form = accepted.find((type) => type === protobufV2Type || takesJson(type));
    if (form === undefined)
      return { kind: "whole", status: 406, body: "", contentType: "", headers: { vary: "Accept" } };
    const { body, hash } = this.#documentV2();
    const etag = `"${hash}"`;
    const headers = { etag, vary: "Accept" };
    if (request.headers["if-none-match"] === etag) return { kind: "whole", status: 304, body: undefined, headers };
    if (form !== protobufV2Type) return { kind: "whole", status: 200, body, headers };
    const bytes = protobufV2(body);
    return { kind: "whole", status: 200, body: bytes, contentType: protobufV2Type, headers };
  }

  #documentV2(): Document {
    let document = this.#made.get("v2");
    if (!document) {
      const documents = [...this.#places().keys()].map((place) => this.#document(place).body);
      const body = documentV2(documents, minorVersion());
      document = { body, hash: hashOf(body) };
      this.#made.set("v2", document);
    }
    return document;
  }

  /** Resources by the path of their group version: `api/v1`, `apis/apps/v1`. */
  #places(): Map<string, Resource[]> {
    const places = new Map<string, Resource[]>();
    for (const resource of this.#registry.resources()) {
      const place = resource.group === "" ? `api/${resource.version}` : `apis/${resource.group}/${resource.version}`;
      places.set(place, [...(places.get(place) ?? []), resource]);
    }
    return places;
  }

  #root(): JsonObject {
    const paths: Record<string, JsonValue> = {};
    for (const place of [...this.#places().keys(), ...discoveryPlaces(this.#builtinGroups())].sort())
      paths[place] = { serverRelativeURL: addressOf(place, this.#document(place)) };
    return { paths };
  }

  #builtinGroups(): string[] {
    const builtin = this.#registry.resources().filter(({ origin, group }) => origin === "builtin" && group !== "");
    return [...new Set(builtin.map(({ group }) => group))];
  }

  #hasPlace(place: string): boolean {
    return this.#places().has(place) || discoveryPlaces(this.#builtinGroups()).includes(place);
  }

  #document(place: string): Document {
    let document = this.#made.get(place);
    if (!document) {
      const resources = this.#places().get(place);
      const body = resources ? makeDocument(resources) : discoveryDocument(place, kubernetesVersion());
      document = { body, hash: hashOf(body) };
      this.#made.set(place, document);
    }
    return document;
  }
}

function minorVersion(): string {
  return kubernetesVersion().replace(/^v(\d+\.\d+).*/, "$1");
}

function hashOf(body: JsonObject): string {
  return createHash("sha512").update(stringifyJson(body)).digest("hex").toUpperCase();
}

function addressOf(place: string, document: Document): string {
  return `/openapi/v3/${place}?hash=${document.hash}`;
}

function makeDocument(resources: readonly Resource[]): JsonObject {
  const schemas: Record<string, JsonValue> = {};
  const reached = new Set<string>();
  for (const name of [...shared, objectMeta, listMeta]) reachedFrom(name, reached);
  const paths: Record<string, JsonValue> = {};
  for (const resource of resources) {
    if (resource.origin === "builtin") for (const name of componentsOf(resource)) reachedFrom(name, reached);
    else Object.assign(schemas, customSchemas(resource));
    Object.assign(paths, operationsOf(resource, componentsOf(resource)[0] ?? ""));
  }
  for (const name of reached) {
    const component = rawComponent(name);
    if (component) schemas[name] = expandReferences(component);
  }
  return {
    openapi: "3.0.0",
    info: resources.some(({ origin }) => origin === "custom")
      ? { title: "Kubernetes CRD Swagger", version: "v0.1.0" }
      : builtinInfo(kubernetesVersion()),
    paths: sorted(paths),
    components: { schemas: sorted(schemas) },
  };
}

function sorted(value: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The component names of a resource's object and list. */
function componentsOf(resource: Resource): readonly string[] {
  if (resource.component !== undefined) return [resource.component, `${resource.component}List`];
  const reversed = resource.group.split(".").reverse().join(".");
  const base = `${reversed}.${resource.version}.`;
  return [base + resource.kind, base + resource.listKind];
}

/** Expands component names to references. */
function expandReferences(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(expandReferences);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? `#/components/schemas/${inner}` : expandReferences(inner),
    ]),
  );
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function customSchemas(resource: Resource): Record<string, JsonValue> {
  const [name = "", list = ""] = componentsOf(resource);
  const identity = (kind: string): JsonValue => [{ group: resource.group, kind, version: resource.version }];
  const schema = (resource.schema() ?? { type: "object" }) as JsonObject;
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  return {
    [name]: {
      ...schema,
      properties: {
        ...properties,
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { allOf: [reference(objectMeta)] },
      },
      "x-kubernetes-group-version-kind": identity(resource.kind),
    },
    [list]: {
      type: "object",
      required: ["items"],
      properties: {
        apiVersion: { type: "string" },
        items: { type: "array", items: reference(name) },
        kind: { type: "string" },
        metadata: { allOf: [reference(listMeta)] },
      },
      "x-kubernetes-group-version-kind": identity(resource.listKind),
    },
  };
}
