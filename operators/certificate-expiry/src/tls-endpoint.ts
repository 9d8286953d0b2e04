import { defineResource, type ObjectOf, z } from "kubewright";

/** A TlsEndpoint is a TLS server somewhere whose certificate is watched for its expiry. */
export const TlsEndpoint = defineResource({
  group: "monitoring.example.com",
  kind: "TlsEndpoint",
  shortNames: ["tlse"],
  versions: {
    v1: {
      spec: z.object({
        host: z.string().min(1).max(253),
        port: z.int32().min(1).max(65_535).default(443),
        /** Name for SNI and for the check of the certificate, if it is not the host. */
        serverName: z.string().min(1).max(253).optional(),
        /** Warn when the certificate is valid for fewer days than these. */
        warnDays: z.int32().min(1).max(365).default(21),
        /** How often the endpoint is connected to. */
        periodSeconds: z.int32().min(60).max(86_400).default(21_600),
      }),
      status: z.object({
        lastCheckTime: z.iso.datetime().optional(),
        notAfter: z.iso.datetime().optional(),
        issuer: z.string().optional(),
        /** SHA-256 of the certificate; another value means that it was renewed. */
        fingerprint: z.string().optional(),
      }),
      conditions: {
        Reachable: ["Connected", "ConnectionFailed", "TimedOut"],
        Trusted: ["Verified", "NotVerified"],
        Valid: ["Valid", "ExpiresSoon", "Expired"],
      },
      printerColumns: [
        { name: "Host", type: "string", jsonPath: ".spec.host" },
        { name: "Valid", type: "string", jsonPath: '.status.conditions[?(@.type=="Valid")].reason' },
        { name: "Expires", type: "string", jsonPath: ".status.notAfter" },
        { name: "Checked", type: "date", jsonPath: ".status.lastCheckTime" },
      ],
    },
  },
});
export type TlsEndpoint = ObjectOf<typeof TlsEndpoint>;
