import { controller, isNotControlled } from "kubewright";
import { Namespace, ResourceQuota } from "kubewright/k8s/core/v1";
import { ClusterRoleBinding, RoleBinding } from "kubewright/k8s/rbac/v1";
import { Tenant } from "./tenant.js";

const apiGroup = "rbac.authorization.k8s.io";

/** The ClusterRoles that this operator binds. */
export const boundRoles = ["admin", "view"] as const;

/**
 * Reconciles the namespaces of a Tenant, with a ResourceQuota and RoleBindings in each, and bindings in shared namespaces and in the whole cluster.
 *
 * A Tenant is namespaced, so that none of these objects can have an ownerReference to it: they are managed. What leaves the spec is pruned. When the
 * Tenant is deleted, the framework's finalizer deletes all of them, and keeps the Tenant until its namespaces are empty and gone.
 */
export const tenantController = controller(Tenant, {
  manages: [Namespace, ResourceQuota, RoleBinding, ClusterRoleBinding],
  uses: [Namespace], // Shared namespaces are not managed, and their reads are tracked.
  reconcile: async ({ object, apply, find, prune, conditions, status }) => {
    const { name: tenant } = object.metadata;
    const { admins, viewers, sharedNamespaces, clusterView, quota } = object.spec;
    const labels = { "tenancy.example.com/tenant": tenant };
    const members = [...new Set([...admins, ...viewers])];
    const binding = (role: (typeof boundRoles)[number], users: readonly string[]) => ({
      roleRef: { apiGroup, kind: "ClusterRole", name: role },
      subjects: users.map((name) => ({ apiGroup, kind: "User", name })),
    });

    const namespaces = object.spec.namespaces.map((suffix) => `${tenant}-${suffix}`);
    for (const namespace of namespaces) {
      try {
        await apply(Namespace, { metadata: { name: namespace, labels } });
      } catch (error) {
        if (isNotControlled(error))
          conditions.set("Ready", { status: false, reason: "NameTaken", message: error.message });
        throw error; // No quota and no binding in the namespace of others.
      }
      if (quota) await apply(ResourceQuota, { metadata: { name: "tenant", namespace }, spec: { hard: quota } });
      for (const [role, users] of [["admin", admins] as const, ["view", viewers] as const])
        if (users.length > 0)
          await apply(RoleBinding, { metadata: { name: `tenant-${role}`, namespace }, ...binding(role, users) });
    }
    status.namespaces = namespaces;

    const missing: string[] = [];
    for (const namespace of sharedNamespaces) {
      if ((await find(Namespace, namespace)) === undefined) missing.push(namespace);
      else if (members.length > 0)
        await apply(RoleBinding, { metadata: { name: `tenant-${tenant}`, namespace }, ...binding("view", members) });
    }
    if (clusterView && members.length > 0)
      await apply(ClusterRoleBinding, { metadata: { name: `tenant-${tenant}`, labels }, ...binding("view", members) });

    // Access ends before the namespace does.
    await prune(RoleBinding, ClusterRoleBinding, ResourceQuota, Namespace);
    if (missing.length === 0) conditions.set("Ready", { status: true, reason: "Provisioned" });
    else {
      const message = `Namespaces that do not exist: ${missing.join(", ")}`;
      conditions.set("Ready", { status: false, reason: "SharedNamespaceMissing", message });
    }
  },
});
