import { controller, defineResource, operator, z } from "kubewright";
import { expect, test } from "vitest";
import { testCluster } from "./index.js";

const Site = defineResource({ group: "example.com", kind: "Site", versions: { v1: { spec: z.object({}) } } });
const Certificate = defineResource({
  group: "cert-manager.io",
  kind: "Certificate",
  external: true,
  versions: { v1: { spec: z.object({ secretName: z.string() }) } },
});

const issuing = operator({
  name: "issuing",
  controllers: [
    controller(Site, {
      owns: [Certificate],
      reconcile: async ({ object, apply }) => {
        const { name } = object.metadata;
        await apply(Certificate, { metadata: { name }, spec: { secretName: `${name}-tls` } });
      },
    }),
  ],
});

test("a kind of another project is installed in tests, and its objects can be owned", async () => {
  await using cluster = await testCluster(issuing);
  await cluster.create(Site, { metadata: { name: "shop" }, spec: {} });
  await cluster.settle();
  expect((await cluster.get(Certificate, "shop")).spec.secretName).toBe("shop-tls");
});
