import { defineResource, type ObjectOf, z } from "kubewright";

export const Certificate = defineResource({
  group: "cert-manager.io",
  kind: "Certificate",
  plural: "certificates",
  singular: "certificate",
  shortNames: ["cert"],
  categories: ["cert-manager"],
  external: true,
  metadata: { labels: { "app.kubernetes.io/name": "cert-manager", "app.kubernetes.io/managed-by": "Helm" } },
  versions: {
    v1: {
      spec: z.object({
        secretName: z.string(),
        dnsNames: z.array(z.string()).optional(),
        issuerRef: z.object({
          name: z.string(),
          kind: z.string().optional(),
          group: z.string().optional(),
        }),
      }),
      status: z.object({
        notAfter: z.iso.datetime().optional(),
        conditions: z
          .array(
            z.object({
              type: z.string(),
              status: z.enum(["True", "False", "Unknown"]),
              reason: z.string().optional(),
              message: z.string().optional(),
            }),
          )
          .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] })
          .optional(),
      }),
      printerColumns: [
        { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: "Secret", type: "string", jsonPath: ".spec.secretName" },
      ],
    },
  },
});

/** The object as it is read. */
export type Certificate = ObjectOf<typeof Certificate>;
