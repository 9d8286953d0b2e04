import { systemClock } from "@kubewright/core/clock";
import { isApiError } from "@kubewright/core/errors";
import { type ControlPlane, kubeconfigText, startControlPlane } from "@kubewright/testing/control-plane";
import fc from "fast-check";
import { crdOf, createClient, defineResource, k, z } from "kubewright";
import { checkLocally } from "kubewright/crd";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { HttpsTransport, parseKubeconfig } from "kubewright/transport";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Everything } from "./everything.js";

let plane: ControlPlane;
let transport: HttpsTransport;
beforeAll(async () => {
  plane = await startControlPlane();
  const text = kubeconfigText(plane, plane.admin);
  transport = new HttpsTransport(await parseKubeconfig([{ file: "kubeconfig", text }]), { clock: systemClock });
  const client = createClient(transport);
  await client.create(CustomResourceDefinition, crdOf(Everything) as never);
  for await (const event of await client.watch(CustomResourceDefinition)) {
    if (event.type === "BOOKMARK" || event.type === "ERROR" || event.type === "UNEXPECTED") continue;
    const { conditions } = event.object.status ?? {};
    if (conditions?.some(({ type, status }) => type === "Established" && status === "True")) break;
  }
}, 120_000);
afterAll(async () => {
  await transport?.close();
  await plane?.stop();
});

test("CEL rules and the helpers that generate them are accepted by a real server", async () => {
  const Ruled = defineResource({
    group: "example.com",
    kind: "Ruled",
    versions: {
      v1: {
        spec: k.exactlyOneOf(
          z.object({ id: k.immutable(z.string()), a: z.string().optional(), b: z.string().optional() }),
          "a",
          "b",
        ),
        rules: [{ rule: "self.metadata.name != 'x'", message: "not x" }],
      },
    },
  });
  const created = await createClient(transport).create(CustomResourceDefinition, crdOf(Ruled) as never, {
    dryRun: true,
  });
  expect(created.metadata.name).toBe("ruleds.example.com");
});

const loose = fc.oneof(
  fc.constantFrom<unknown>(
    "",
    "a",
    "abc",
    "abcdef",
    "ABC",
    "1",
    "5Gi",
    "1.5",
    "30s",
    "x s",
    0,
    1,
    5,
    10,
    0.5,
    -1,
    true,
    null,
  ),
  fc.constantFrom<unknown>(
    "2026-01-01T00:00:00Z",
    [],
    ["a"],
    ["a", "a"],
    ["a", "b", "c", "d"],
    {},
    { a: "b" },
    { a: 1 },
  ),
  fc.constantFrom<unknown>({ type: "S3", bucket: "b" }, { type: "S3" }, { type: "Tape" }, { type: "Disk", path: "/p" }),
  fc.constantFrom<unknown>([{ name: "a" }, { name: "a" }], [{ name: "a", number: 1 }], [{}], { name: "s", key: "k" }),
  fc.constantFrom<unknown>({ matchLabels: { a: "b" } }, { limits: { cpu: "1", memory: 3 } }, { known: 1, other: 2 }),
  fc.constantFrom<unknown>(
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: {} },
    { apiVersion: "a/b/c", kind: "A_b" },
    { apiVersion: "", kind: "" },
  ),
);
const fields = Object.keys(
  crdOf(Everything).spec.versions[0]?.schema.openAPIV3Schema.properties?.["spec"]?.properties ?? {},
);
const specs = fc.dictionary(fc.constantFrom(...fields, "unknown"), loose, { maxKeys: 4, noNullPrototype: true });

test("local validation and defaulting equal those of a real server", async () => {
  const client = createClient(transport);
  // Kubernetes 1.36 words errors of formats and types differently from 1.33.
  const hasOurWords = Number.parseInt((await client.version()).minor, 10) >= 36;
  const compared = (error: string): string => (hasOurWords ? error : error.slice(0, error.indexOf(": ")));
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(specs, async (spec) => {
      const object = { metadata: { name: "a" }, spec };
      const local = checkLocally(Everything, object);
      try {
        const real = await client.create(Everything, object as never, { dryRun: true });
        expect(local.errors, JSON.stringify(spec)).toEqual([]);
        expect(local.object["spec"]).toEqual((real as { readonly spec: unknown }).spec);
        accepted += 1;
      } catch (error) {
        if (!isApiError(error)) throw error;
        const causes = (error.status.details?.causes ?? [])
          // The scale subresource validates its replicas itself.
          .filter(({ field }) => field?.startsWith(".") !== true)
          .map(({ field, message }) => compared(`${field}: ${message}`));
        expect(local.errors.map(compared).sort(), JSON.stringify(spec)).toEqual(causes.sort());
      }
    }),
    { numRuns: 600 },
  );
  expect(accepted).toBeGreaterThan(30);
}, 240_000);
