import { OperatorError } from "@kubewright/core/errors";
import type { Client, Operator } from "kubewright";
import { ServiceAccount } from "kubewright/k8s/core/v1";
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "kubewright/k8s/rbac/v1";
import type { PolicyRule } from "kubewright/permissions";

const apiGroup = "rbac.authorization.k8s.io";

/** The ServiceAccount of an operator under test. */
export interface AccountOptions {
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
  /** Whether the rules apply to the namespace of the ServiceAccount only. */
  readonly isConfined: boolean;
  /** The name of cluster-scoped objects, unique in the cluster. */
  readonly clusterName: string;
}

/** Creates a ServiceAccount with exactly these rules. Returns a function that deletes what is cluster-scoped. */
export async function createAccount(
  client: Client,
  { name }: Operator,
  { namespace, rules, isConfined, clusterName }: AccountOptions,
): Promise<() => Promise<void>> {
  checkName(name);
  const metadata = { name, namespace };
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  await client.create(ServiceAccount, { metadata });
  if (isConfined) {
    await client.create(Role, { metadata, rules });
    await client.create(RoleBinding, { metadata, roleRef: { apiGroup, kind: "Role", name }, subjects });
    return async () => {};
  }
  const roleRef = { apiGroup, kind: "ClusterRole", name: clusterName };
  await client.create(ClusterRole, { metadata: { name: clusterName }, rules });
  await client.create(ClusterRoleBinding, { metadata: { name: clusterName }, roleRef, subjects });
  return async () => {
    await client.delete(ClusterRoleBinding, clusterName);
    await client.delete(ClusterRole, clusterName);
  };
}

function checkName(name: string): void {
  if (/^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/.test(name)) return;
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot create the ServiceAccount of operator "${name}": the name is no DNS subdomain; use lower case letters, digits, "-" and "."`,
  );
}
