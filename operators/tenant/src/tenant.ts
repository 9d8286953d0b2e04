import { defineResource, type ObjectOf, z } from "kubewright";

/** A part of a namespace's name. */
const label = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
/** User names, as the API server authenticates them. */
const users = z.array(z.string().min(1)).default([]);

/** A Tenant has namespaces of its own, and members with access to them. */
export const Tenant = defineResource({
  group: "tenancy.example.com",
  kind: "Tenant",
  versions: {
    v1: {
      spec: z.object({
        /** Suffixes: the Tenant `acme` with `dev` has the namespace `acme-dev`. */
        namespaces: z.array(label.max(30)).min(1).max(20),
        /** Users with the ClusterRole `admin` in each namespace. */
        admins: users,
        /** Users with the ClusterRole `view` in each namespace. */
        viewers: users,
        /** Namespaces of others in which all members have the ClusterRole `view`. */
        sharedNamespaces: z.array(label.max(63)).default([]),
        /** Whether all members have the ClusterRole `view` in the whole cluster. */
        clusterView: z.boolean().default(false),
        /** Hard limits of the ResourceQuota in each namespace. */
        quota: z.record(z.string(), z.string()).optional(),
      }),
      status: z.object({ namespaces: z.array(z.string()).default([]) }),
      conditions: { Ready: ["Provisioned", "NameTaken", "SharedNamespaceMissing"] },
      printerColumns: [{ name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason' }],
    },
  },
});
export type Tenant = ObjectOf<typeof Tenant>;
