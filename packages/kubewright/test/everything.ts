import { defineResource, k, z } from "kubewright";

/** A definition that uses every supported schema feature. */
export const Everything = defineResource({
  group: "example.com",
  kind: "Everything",
  plural: "everythings",
  metadata: { labels: { team: "a" } },
  versions: {
    v1: {
      spec: z.object({
        size: z.int32().min(1).max(9).default(3),
        ratio: z.number().gt(0).lt(1).optional(),
        color: z.enum(["red", "blue"]).optional(),
        name: z
          .string()
          .min(2)
          .max(5)
          .regex(/^[a-z]+$/)
          .optional(),
        note: z.string().nullable().optional(),
        on: z.boolean().default(true),
        port: k.intOrString().optional(),
        storage: k.quantity().optional(),
        every: k.duration().optional(),
        at: z.iso.datetime().optional(),
        tags: k.setList(z.string()).max(3).optional(),
        ports: k.mapList(z.object({ name: z.string(), number: z.int32().optional() }), ["name"]).optional(),
        labels: z.record(z.string(), z.string()).optional(),
        store: z
          .discriminatedUnion("type", [
            z.object({ type: z.literal("S3"), bucket: z.string() }),
            z.object({ type: z.literal("Disk"), path: z.string() }),
          ])
          .optional(),
        selector: k.labelSelector().optional(),
        secret: k.keyReference().optional(),
        resources: k.resourceRequirements().optional(),
        template: k.podTemplate().optional(),
        object: k.embeddedObject().optional(),
        open: z.looseObject({ known: z.int().optional() }).optional(),
      }),
      status: z.object({ size: z.int32() }),
      conditions: { Ready: ["Yes", "No"] },
      scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
      selectableFields: [".spec.color"],
    },
  },
});
