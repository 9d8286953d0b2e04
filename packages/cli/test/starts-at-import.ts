import { controller, defineResource, operator, z } from "kubewright";

const Website = defineResource({
  group: "web.example.com",
  kind: "Website",
  versions: { v1: { spec: z.object({ image: z.string() }) } },
});

/** An operator in one file, as a first attempt often is: importing it starts it. */
export const websites = operator({
  name: "websites",
  controllers: [controller(Website, { reconcile: async () => {} })],
});

await websites.run({ installCRDs: true });
