/** The Website of the documentation, for tests with controllers. */
import { z } from "zod";
import { defineResource } from "../src/definition/index.js";

export const Website = defineResource({
  group: "web.example.com",
  kind: "Website",
  versions: {
    v1: {
      spec: z.object({
        image: z.string().min(1),
        replicas: z.int32().min(0).max(100).default(1),
        host: z.string().optional(),
      }),
      status: z.object({ url: z.string().optional(), availableReplicas: z.int32().default(0) }),
      conditions: { Ready: ["Available", "Progressing", "TokenMissing"] },
    },
  },
});

/** A cluster-scoped owner. */
export const Tenant = defineResource({
  group: "web.example.com",
  kind: "Tenant",
  scope: "Cluster",
  versions: { v1: { spec: z.object({ team: z.string() }) } },
});

/** A Website named `shop`. */
export const shop = { metadata: { name: "shop" }, spec: { image: "shop:1" } };
