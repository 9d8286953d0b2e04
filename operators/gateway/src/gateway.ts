import { defineResource, type ObjectOf, z } from "kubewright";

/** A Gateway serves all Routes that name it. */
export const Gateway = defineResource({
  group: "gw.example.com",
  kind: "Gateway",
  versions: {
    v1: {
      spec: z.object({ image: z.string().min(1), replicas: z.int32().min(1).default(1) }),
      status: z.object({ routes: z.int32().default(0) }),
      conditions: { Ready: ["Programmed", "SecretMissing"] },
    },
  },
});
export type Gateway = ObjectOf<typeof Gateway>;

/** A Route maps a host to a Service, with the certificate of a Secret. */
export const Route = defineResource({
  group: "gw.example.com",
  kind: "Route",
  versions: {
    v1: {
      spec: z.object({
        gateway: z.string().min(1),
        host: z.string().min(1),
        service: z.string().min(1),
        tlsSecret: z.string().optional(),
      }),
      conditions: { Accepted: ["Attached", "GatewayMissing"] },
    },
  },
});
export type Route = ObjectOf<typeof Route>;
