/** An operator whose resource has two versions, with the older one as storage version, and a test that runs on every cluster. */
import { controller, defineResource, operator, z } from "kubewright";
import { ConfigMap } from "kubewright/k8s/core/v1";
import { expect } from "vitest";
import { testCluster } from "../src/index.js";

export const Website = defineResource({
  group: "web.example.com",
  kind: "Website",
  hub: "v1",
  versions: {
    v1: {
      spec: z.object({ image: z.string(), replicas: z.int32().default(1), host: z.string().optional() }),
      status: z.object({ url: z.string() }),
    },
    v1alpha1: { spec: z.object({ image: z.string(), size: z.int32() }), storage: true },
  },
  convert: {
    v1alpha1: {
      toHub: ({ spec }) => ({ spec: { image: spec.image, replicas: spec.size } }),
      fromHub: ({ spec }) => {
        if (spec.image === "broken") throw new Error("no such image");
        return { spec: { image: spec.image, size: spec.replicas } };
      },
    },
  },
});
export const websites = operator({
  name: "websites",
  controllers: [
    controller(Website, {
      owns: [ConfigMap],
      reconcile: async ({ object, apply, status }) => {
        const { replicas, host = "" } = object.spec;
        await apply(ConfigMap, {
          metadata: { name: object.metadata.name },
          data: { replicas: String(replicas), host },
        });
        status.url = `https://${host}`;
      },
    }),
  ],
});

/** The operator reconciles its hub version, whatever version objects are stored, written and read in. */
export async function reconcilesHub(on: "embedded" | "real"): Promise<void> {
  await using cluster = await testCluster(websites, { on });
  await cluster.create(Website.v1alpha1, { metadata: { name: "old" }, spec: { image: "a", size: 2 } });
  await cluster.create(Website, { metadata: { name: "new" }, spec: { image: "a", replicas: 3, host: "h" } });
  await cluster.settle();
  expect((await cluster.get(ConfigMap, "old")).data).toEqual({ replicas: "2", host: "" });
  expect((await cluster.get(ConfigMap, "new")).data).toEqual({ replicas: "3", host: "h" });
  expect((await cluster.get(Website.v1alpha1, "new")).spec).toEqual({ image: "a", size: 3 });
  await cluster.patch(Website.v1alpha1, "new", { merge: { spec: { size: 4 } } });
  await cluster.settle();
  const { spec, status } = await cluster.get(Website, "new");
  expect(spec).toEqual({ image: "a", replicas: 4, host: "h" });
  expect(status).toEqual({ url: "https://h" });
  expect((await cluster.get(ConfigMap, "new")).data).toEqual({ replicas: "4", host: "h" });
}
