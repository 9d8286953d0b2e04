import { defineResource, type ObjectOf, z } from "kubewright";

/** A Bucket is a bucket of an object storage outside of the cluster. */
export const Bucket = defineResource({
  group: "storage.example.com",
  kind: "Bucket",
  shortNames: ["bkt"],
  versions: {
    v1: {
      spec: z.object({
        /** Name at the service, where it is unique among all tenants; `<namespace>-<name>` if it is left out. */
        bucketName: z
          .string()
          .regex(/^[a-z0-9]([a-z0-9.-]{1,61})[a-z0-9]$/)
          .optional(),
        versioning: z.boolean().default(false),
        /** Takes over an existing bucket that no object owns. */
        adopt: z.boolean().default(false),
        /** What happens to the bucket when the object is deleted. `Retain` keeps it, without an owner. */
        deletionPolicy: z.enum(["Delete", "Retain"]).default("Delete"),
      }),
      rules: [
        {
          rule: "has(self.spec.bucketName) == has(oldSelf.spec.bucketName) && (!has(self.spec.bucketName) || self.spec.bucketName == oldSelf.spec.bucketName)",
          message: "spec.bucketName is immutable: a bucket cannot be renamed",
        },
      ],
      status: z.object({
        /** The service's identifier of the bucket. */
        id: z.string().optional(),
        bucketName: z.string().optional(),
        url: z.string().optional(),
      }),
      conditions: { Ready: ["Available", "NameTaken", "NotReadable", "NotEmpty"] },
      printerColumns: [
        { name: "Bucket", type: "string", jsonPath: ".status.bucketName" },
        { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    },
  },
});
export type Bucket = ObjectOf<typeof Bucket>;
