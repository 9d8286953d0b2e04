import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { crdOf, defineResource, type ObjectOf, type StatusOf, type WriteOf } from "./index.js";

const Website = defineResource({
  group: "web.example.com",
  kind: "Website",
  shortNames: ["ws"],
  hub: "v1",
  versions: {
    v1: {
      spec: z.object({
        image: z.string().min(1),
        replicas: z.int32().min(0).max(100).default(1),
        host: z.string().optional(),
      }),
      status: z.object({ url: z.string().optional(), availableReplicas: z.int32().default(0) }),
      conditions: { Ready: ["Available", "Progressing", "TokenMissing"] },
      rules: [
        { rule: "self.spec.replicas <= 10 || has(self.spec.host)", message: "More than ten replicas need a host" },
      ],
    },
    v1alpha1: { spec: z.object({ image: z.string(), size: z.int32() }) },
  },
  convert: {
    v1alpha1: {
      toHub: ({ spec }) => ({ spec: { image: spec.image, replicas: spec.size } }),
      fromHub: ({ spec }) => ({ spec: { image: spec.image, size: spec.replicas } }),
    },
  },
});

const Foo = defineResource({
  group: "samplecontroller.k8s.io",
  kind: "Foo",
  shortNames: ["fo"],
  versions: {
    v1alpha1: {
      spec: z.object({ deploymentName: z.string(), replicas: z.int32().min(1).max(10).optional() }),
      status: z.object({ availableReplicas: z.int32().default(0) }),
      printerColumns: [{ name: "Available", type: "integer", jsonPath: ".status.availableReplicas" }],
    },
  },
});

const Sample = defineResource({
  group: "example.com",
  kind: "Sample",
  versions: { v1alpha1: { fields: z.object({ testString: z.string().optional() }) } },
});

test("a resource is its hub version, and every version by name", () => {
  expect(Website).toMatchObject({
    id: "web.example.com/v1/Website",
    plural: "websites",
    scope: "Namespaced",
    version: "v1",
  });
  expect(Website.v1alpha1).toMatchObject({ id: "web.example.com/v1alpha1/Website", version: "v1alpha1" });
  expectTypeOf(Website.id).toEqualTypeOf<"web.example.com/v1/Website">();
  expectTypeOf(Website.v1alpha1.scope).toEqualTypeOf<"Namespaced">();
});

test("the types of a resource come from its schemas: fields with defaults are required in reads and optional in writes", () => {
  expectTypeOf<ObjectOf<typeof Website>["spec"]["replicas"]>().toEqualTypeOf<number>();
  expectTypeOf<ObjectOf<typeof Website>["kind"]>().toEqualTypeOf<"Website">();
  expectTypeOf<WriteOf<typeof Website>>().toExtend<{
    readonly spec: { readonly image: string; readonly replicas?: number | undefined };
  }>();
  expectTypeOf<StatusOf<typeof Website>["availableReplicas"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ObjectOf<typeof Sample>["testString"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<StatusOf<typeof Sample>>().toEqualTypeOf<never>();
});

test("a CRD has exactly the declared fields, with bounds, defaults and required fields", () => {
  expect(crdOf(Foo)).toEqual({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: "foos.samplecontroller.k8s.io",
      annotations: { "api-approved.kubernetes.io": "unapproved, experimental-only" },
    },
    spec: {
      group: "samplecontroller.k8s.io",
      scope: "Namespaced",
      names: { kind: "Foo", listKind: "FooList", plural: "foos", singular: "foo", shortNames: ["fo"] },
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              required: ["spec"],
              properties: {
                spec: {
                  type: "object",
                  required: ["deploymentName"],
                  properties: {
                    deploymentName: { type: "string" },
                    replicas: { type: "integer", format: "int32", minimum: 1, maximum: 10 },
                  },
                },
                status: {
                  type: "object",
                  properties: { availableReplicas: { type: "integer", format: "int32", default: 0 } },
                },
              },
            },
          },
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: "Available", type: "integer", jsonPath: ".status.availableReplicas" }],
        },
      ],
    },
  });
});

test("fields can be at the root of the object", () => {
  const [version] = crdOf(Sample).spec.versions;
  expect(version?.schema.openAPIV3Schema).toEqual({ type: "object", properties: { testString: { type: "string" } } });
  expect(version?.subresources).toBeUndefined();
});

test("an optional spec is defaulted, so that reads always have it", () => {
  const Optional = defineResource({
    group: "example.com",
    kind: "Optional",
    versions: { v1: { spec: z.object({ size: z.int32().default(3), name: z.string().optional() }) } },
  });
  const schema = crdOf(Optional).spec.versions[0]?.schema.openAPIV3Schema;
  expect(schema?.required).toBeUndefined();
  expect(schema?.properties?.["spec"]).toMatchObject({ default: {}, properties: { size: { default: 3 } } });
});

test("conditions add the standard list and observedGeneration to the status, and the status subresource", () => {
  const Job = defineResource({
    group: "example.com",
    kind: "Backup",
    versions: { v1: { spec: z.object({}), conditions: { Ready: ["Done"] } } },
  });
  const [version] = crdOf(Job).spec.versions;
  const status = version?.schema.openAPIV3Schema.properties?.["status"];
  expect(Object.keys(status?.properties ?? {})).toEqual(["conditions", "observedGeneration"]);
  expect(status?.properties?.["conditions"]).toMatchObject({
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
  });
  expect(version?.subresources).toEqual({ status: {} });
});

test("the CRD of a resource with conversion functions has a conversion webhook: the default Service, or the given one", () => {
  expect(crdOf(Website).spec.conversion).toEqual({
    strategy: "Webhook",
    webhook: {
      clientConfig: { service: { namespace: "default", name: "webhook-service", path: "/convert" } },
      conversionReviewVersions: ["v1"],
    },
  });
  const conversionWebhook = { url: "https://localhost:9443/convert", caBundle: "YQ==" };
  expect(crdOf(Website, { conversionWebhook }).spec.conversion?.webhook?.clientConfig).toEqual(conversionWebhook);
  expect(crdOf(Foo, { conversionWebhook }).spec).not.toHaveProperty("conversion");
});

test("a version of a resource has the same CRD", () => {
  expect(crdOf(Website.v1alpha1)).toEqual(crdOf(Website));
});

test.each([
  ["a group without a dot", { group: "example" }, /not a domain name/],
  ["a kind in lower case", { kind: "sample" }, /capital letter/],
  ["a short name with capitals", { shortNames: ["WS"] }, /"WS"/],
])("defineResource rejects %s", (_, change, message) => {
  expect(() => defineResource({ group: "example.com", kind: "Sample", versions: { v1: {} }, ...change })).toThrow(
    message,
  );
});

test("defineResource rejects a version name that is not a Kubernetes version, and several versions without a hub", () => {
  expect(() => defineResource({ group: "example.com", kind: "Sample", versions: { one: {} } })).toThrow(/"one"/);
  expect(() => defineResource({ group: "example.com", kind: "Sample", versions: { v1: {}, v2: {} } })).toThrow(
    /hub.*v1, v2/,
  );
});

test("defineResource rejects versions of which none is served or stored, and incomplete conversions", () => {
  const define = (more: object) =>
    defineResource({ group: "example.com", kind: "Sample", hub: "v2", versions: { v1: {}, v2: {} }, ...more });
  const fail = (more: object, message: string): void => expect(() => define(more)).toThrow(message);
  fail({ versions: { v1: { served: false }, v2: { served: false } } }, "no version is served");
  fail({ versions: { v1: { storage: true }, v2: { storage: true } } }, "only one version can be stored, not v1 and v2");
  fail({ versions: { v1: {}, v2: { storage: false } } }, 'the hub "v2" has `storage: false`');
  fail({ convert: { v1: { toHub: () => ({}) } } }, "`convert` has no `toHub` and `fromHub` for v1");
  const both = { convert: { v1: { toHub: () => ({}), fromHub: () => ({}) } }, convertedBy: { url: "https://a" } };
  fail(both, "`convert` and `convertedBy` are mutually exclusive");
});
