import { defineResource, type ObjectOf, z } from "kubewright";

/** A Sample has one string field, at the root of the object. */
export const Sample = defineResource({
  group: "example.com",
  kind: "Sample",
  versions: {
    v1alpha1: {
      fields: z.object({ testString: z.string().optional() }),
      printerColumns: [{ name: "Test String", type: "string", jsonPath: ".testString" }],
    },
  },
});
export type Sample = ObjectOf<typeof Sample>;
