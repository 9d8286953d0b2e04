import type { JsonObject, JsonValue } from "@kubewright/core/json";

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const text: JsonObject = { type: "string", default: "" };
const optional: JsonObject = { type: "string" };
const part = (name: string): JsonObject => ({ default: {}, allOf: [{ $ref: `#/components/schemas/${meta}${name}` }] });
const list = (items: JsonValue): JsonObject => ({ type: "array", items, "x-kubernetes-list-type": "atomic" });
const strings = (...names: string[]): JsonObject => Object.fromEntries(names.map((name) => [name, text]));

/** The schemas of discovery objects. */
const schemas: Readonly<Record<string, readonly [required: readonly string[], properties: JsonObject]>> = {
  APIVersions: [
    ["versions", "serverAddressByClientCIDRs"],
    { serverAddressByClientCIDRs: list(part("ServerAddressByClientCIDR")), versions: list(text) },
  ],
  APIGroupList: [["groups"], { groups: list(part("APIGroup")) }],
  APIGroup: [
    ["name", "versions"],
    {
      name: text,
      preferredVersion: part("GroupVersionForDiscovery"),
      serverAddressByClientCIDRs: list(part("ServerAddressByClientCIDR")),
      versions: list(part("GroupVersionForDiscovery")),
    },
  ],
  GroupVersionForDiscovery: [["groupVersion", "version"], strings("groupVersion", "version")],
  ServerAddressByClientCIDR: [["clientCIDR", "serverAddress"], strings("clientCIDR", "serverAddress")],
};
/** Nested types without a kind. */
const parts = ["GroupVersionForDiscovery", "ServerAddressByClientCIDR"];

/** The types that a response contains. */
const reached: Readonly<Record<string, readonly string[]>> = {
  APIVersions: ["APIVersions", "ServerAddressByClientCIDR"],
  APIGroupList: ["APIGroup", "APIGroupList", ...parts],
  APIGroup: ["APIGroup", ...parts],
};

const versionFields = [
  "major",
  "minor",
  "gitVersion",
  "gitCommit",
  "gitTreeState",
  "buildDate",
  "goVersion",
  "compiler",
  "platform",
];
const emulation = ["emulationMajor", "emulationMinor", "minCompatibilityMajor", "minCompatibilityMinor"];

/** The `info` of documents of built-in groups. */
export function builtinInfo(kubernetes: string): JsonObject {
  return { title: "Kubernetes", version: kubernetes.replace(/^v(\d+\.\d+).*/, "$1") };
}

/** Paths without resources that have their own document. */
export function discoveryPlaces(groups: readonly string[]): string[] {
  return ["api", "apis", "version", ...groups.map((group) => `apis/${group}`)];
}

/** The document of one of the {@link discoveryPlaces}. */
export function discoveryDocument(place: string, kubernetes: string): JsonObject {
  const { kind, ...operation } = operationAt(place);
  const name = kind === "Info" ? "io.k8s.apimachinery.pkg.version.Info" : meta + kind;
  const content = { schema: { $ref: `#/components/schemas/${name}` } };
  const types = kind === "Info" ? ["application/json"] : ["application/json", "application/yaml"];
  const response = { description: "OK", content: Object.fromEntries(types.map((type) => [type, content])) };
  return {
    openapi: "3.0.0",
    info: builtinInfo(kubernetes),
    paths: {
      [`/${place}/`]: { get: { ...operation, responses: { "200": response, "401": { description: "Unauthorized" } } } },
    },
    components: { schemas: kind === "Info" ? { [name]: versionSchema() } : schemasOf(kind) },
  };
}

function operationAt(place: string): { readonly kind: string; readonly tags: JsonValue; readonly operationId: string } {
  if (place === "api") return { kind: "APIVersions", tags: ["core"], operationId: "getCoreAPIVersions" };
  if (place === "apis") return { kind: "APIGroupList", tags: ["apis"], operationId: "getAPIVersions" };
  if (place === "version") return { kind: "Info", tags: ["version"], operationId: "getCodeVersion" };
  // The tag of a group omits the common suffix `.k8s.io`.
  const labels = place
    .slice("apis/".length)
    .replace(/\.k8s\.io$/, "")
    .split(".");
  const camel = labels.map((label, at) => (at === 0 ? label : capital(label))).join("");
  return { kind: "APIGroup", tags: [camel], operationId: `get${capital(camel)}APIGroup` };
}

function capital(label: string): string {
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}

function schemasOf(kind: string): JsonObject {
  return Object.fromEntries(
    (reached[kind] ?? []).map((name) => {
      const [required, properties] = schemas[name] ?? [[], {}];
      if (parts.includes(name)) return [meta + name, { type: "object", required, properties }];
      return [
        meta + name,
        {
          type: "object",
          required,
          properties: { apiVersion: optional, kind: optional, ...properties },
          "x-kubernetes-group-version-kind": [{ group: "", kind: name, version: "v1" }],
        },
      ];
    }),
  );
}

function versionSchema(): JsonObject {
  const optionals = Object.fromEntries(emulation.map((name) => [name, optional]));
  return { type: "object", required: versionFields, properties: { ...strings(...versionFields), ...optionals } };
}
