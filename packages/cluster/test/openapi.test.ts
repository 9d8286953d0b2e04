import { startCluster } from "@kubewright/cluster";
import { expect, test } from "vitest";

type Json = { readonly [key: string]: Json };

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["n"],
                properties: {
                  n: { type: "integer", minimum: 1, nullable: true, default: 3 },
                  any: { "x-kubernetes-int-or-string": true },
                  open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                  one: { type: "object", oneOf: [{ required: ["a"] }], properties: { a: { type: "string" } } },
                  m: { type: "object", additionalProperties: { type: "string" } },
                },
              },
            },
          },
        },
      },
    ],
  },
};

async function documents(accept: string) {
  await using cluster = await startCluster();
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await cluster.transport.send({ method: "POST", path, body: widgets });
  return cluster.transport.send({ method: "GET", path: "/openapi/v2", headers: { accept } });
}

test("OpenAPI v2 of built-in kinds matches kube-apiserver, without what v2 cannot express", async () => {
  const { status, body } = await documents("application/json");
  expect(status).toBe(200);
  const { definitions, swagger } = body as { definitions: Json; swagger: string };
  expect(swagger).toBe("2.0");
  expect(definitions["io.k8s.apimachinery.pkg.util.intstr.IntOrString"]).toEqual({
    type: "string",
    format: "int-or-string",
  });
  expect(definitions["io.k8s.apimachinery.pkg.api.resource.Quantity"]).toEqual({ type: "string" });
  expect(definitions["io.k8s.api.apps.v1.Deployment"]).toMatchObject({
    properties: { spec: { $ref: "#/definitions/io.k8s.api.apps.v1.DeploymentSpec" } },
    "x-kubernetes-group-version-kind": [{ group: "apps", kind: "Deployment", version: "v1" }],
  });
  expect(JSON.stringify(definitions).includes("#/components")).toBe(false);
});

test("OpenAPI v2 of custom resources matches kube-apiserver: nullable and unknown fields make a value untyped", async () => {
  const { body } = await documents("*/*");
  const { definitions, paths } = body as { definitions: Json; paths: Json };
  expect(definitions["com.example.v1.Widget"]?.["properties"]?.["spec"]).toEqual({
    type: "object",
    properties: {
      n: { minimum: 1 },
      any: { "x-kubernetes-int-or-string": true },
      open: { "x-kubernetes-preserve-unknown-fields": true },
      one: { type: "object", properties: { a: { type: "string" } } },
      m: { type: "object", additionalProperties: { type: "string" } },
    },
  });
  expect(paths["/apis/example.com/v1/namespaces/{namespace}/widgets/{name}"]?.["patch"]).toMatchObject({
    consumes: ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"],
    "x-kubernetes-group-version-kind": { group: "example.com", kind: "Widget", version: "v1" },
  });
});

test("OpenAPI v2 is served as protobuf with its content type, and an unsupported type gets 406", async () => {
  const type = "application/com.github.proto-openapi.spec.v2";
  const { headers, body } = await documents(`${type}@v1.0+protobuf`);
  expect(headers["content-type"]).toBe(`${type}.v1.0+protobuf`);
  expect((body as Buffer).subarray(0, 5)).toEqual(Buffer.from([0x0a, 3, 0x32, 0x2e, 0x30]));
  expect((await documents("text/html")).status).toBe(406);
});

test("OpenAPI v3 publishes paths with their supported methods", async () => {
  await using cluster = await startCluster();
  const { body } = await cluster.transport.send({ method: "GET", path: "/openapi/v3/api/v1" });
  const { paths } = body as { readonly paths: Readonly<Record<string, object>> };
  const methodsOf = (path: string): string[] | undefined =>
    paths[path] && Object.keys(paths[path]).filter((key) => key !== "parameters");
  const inNamespace = "/api/v1/namespaces/{namespace}";
  expect(methodsOf(`${inNamespace}/bindings`)).toEqual(["post"]);
  expect(methodsOf(`${inNamespace}/bindings/{name}`)).toBeUndefined();
  expect(methodsOf("/api/v1/bindings")).toBeUndefined();
  expect(methodsOf(`${inNamespace}/pods`)).toEqual(["get", "post", "delete"]);
  expect(methodsOf("/api/v1/pods")).toEqual(["get"]);
  expect(methodsOf(`${inNamespace}/pods/{name}/resize`)).toEqual(["get", "put", "patch"]);
  expect(methodsOf("/api/v1/namespaces/{name}/finalize")).toEqual(["put"]);
});
