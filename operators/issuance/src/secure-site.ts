import { defineResource, type ObjectOf, z } from "kubewright";

/** A SecureSite serves a Service at a host, with a certificate that cert-manager issues. */
export const SecureSite = defineResource({
  group: "sites.example.com",
  kind: "SecureSite",
  versions: {
    v1: {
      spec: z.object({
        host: z.string().min(1),
        /** Name of the Service. */
        service: z.string().min(1),
        port: z.int32().min(1).max(65_535).default(80),
        /** Name of a ClusterIssuer of cert-manager. */
        issuer: z.string().min(1),
      }),
      status: z.object({ certificateExpires: z.iso.datetime().optional() }),
      conditions: { Ready: ["Serving", "CertificatePending"] },
    },
  },
});
export type SecureSite = ObjectOf<typeof SecureSite>;
