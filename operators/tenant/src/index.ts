/**
 * The tenant operator: namespaces, quotas and RBAC bindings for teams, by managed objects alone.
 *
 * @module
 */
import { operator } from "kubewright";
import { boundRoles, tenantController } from "./tenant-controller.js";

export { Tenant } from "./tenant.js";
export { tenantController };

/** The operator: resource, controller and permissions. Importing it starts nothing. */
export const tenantOperator = operator({
  name: "tenant-operator",
  controllers: [tenantController],
  // Only these: who may bind any ClusterRole can become cluster-admin.
  rules: [
    {
      apiGroups: ["rbac.authorization.k8s.io"],
      resources: ["clusterroles"],
      verbs: ["bind"],
      resourceNames: boundRoles,
    },
  ],
});
