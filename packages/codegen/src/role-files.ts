import type { Operator } from "kubewright";
import { deriveLeaseRules, type PolicyRule } from "kubewright/permissions";
import { certificateRules, type WebhookTargets } from "kubewright/webhook";
import type { DefinedResource } from "./defined-resource.js";
import { type GeneratedFile, yamlFile } from "./generated-file.js";

const rbac = "rbac.authorization.k8s.io";

/** A rule of a ClusterRole for paths that are no resources. */
interface NonResourceRule {
  readonly nonResourceURLs: readonly string[];
  readonly verbs: readonly string[];
}

/** Options of an operator that affect its RBAC manifests. */
export interface RoleOptions {
  /** Namespace of its ServiceAccount. */
  readonly namespace: string;
  /** The operator watches its namespace only: a Role instead of a ClusterRole. */
  readonly namespaced: boolean;
  readonly leaderElection: boolean;
  readonly installCRDs: boolean;
  readonly migrateStored: boolean;
}

/** ServiceAccount, roles and bindings of each operator, in `rbac/`. */
export function operatorRoleFiles(operators: readonly Operator[], options: RoleOptions): GeneratedFile[] {
  return operators.flatMap((operator) => {
    const { name } = operator;
    const { namespace, namespaced, leaderElection, installCRDs, migrateStored } = options;
    const folder = operators.length === 1 ? "rbac" : `rbac/${name}`;
    const all = operator.rules({ installCRDs, migrateStored });
    const [clusterRules, rules] = namespaced ? splitByScope(all, operator) : [[], all];
    const kind = namespaced ? "Role" : "ClusterRole";
    const metadata = { name, ...(namespaced && { namespace }) };
    return [
      yamlFile(`${folder}/service_account.yaml`, {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name, namespace },
      }),
      yamlFile(`${folder}/role.yaml`, role(kind, metadata, rules)),
      yamlFile(`${folder}/role_binding.yaml`, binding(kind, metadata, { name, namespace })),
      ...(clusterRules.length === 0
        ? []
        : clusterRoleWithBinding(`${folder}/cluster_role`, name, { name, namespace }, clusterRules)),
      ...(leaderElection ? leaseFiles(folder, name, namespace) : []),
    ];
  });
}

/** Roles and bindings of what writes the certificate of an operator's webhooks: the Secret, and the caBundles of its webhook configurations and CRDs. */
export function certificateRoleFiles(
  operator: Operator,
  folder: string,
  { namespace, targets }: { readonly namespace: string; readonly targets: WebhookTargets },
): GeneratedFile[] {
  const name = `${operator.name}-webhook-certificates`;
  const { role: rules, clusterRole } = certificateRules(targets);
  const subject = { name: operator.name, namespace };
  const at = (file: string): string => `${folder}/webhook_certificates_${file}.yaml`;
  return [
    yamlFile(at("role"), role("Role", { name, namespace }, rules)),
    yamlFile(at("role_binding"), binding("Role", { name, namespace }, subject)),
    ...clusterRoleWithBinding(`${folder}/webhook_certificates_cluster_role`, name, subject, clusterRole),
  ];
}

/** Splits rules by scope: a Role cannot grant access to cluster-scoped resources. */
function splitByScope(
  rules: readonly PolicyRule[],
  { controllers, webhooks }: Operator,
): [clusterScoped: PolicyRule[], namespaced: PolicyRule[]] {
  const kinds = [
    ...controllers.flatMap(({ kind, owns, manages, uses, watches }) => [
      kind,
      ...owns,
      ...manages,
      ...[...uses, ...watches].map((one) => one.kind),
    ]),
    ...webhooks.flatMap(({ uses }) => uses.map(({ kind }) => kind)),
  ];
  const isClusterScoped = (group: string, resource: string): boolean => {
    const [plural] = resource.split("/");
    if (group === "apiextensions.k8s.io") return true;
    return kinds.some((kind) => kind.group === group && kind.plural === plural && kind.scope === "Cluster");
  };
  const filtered = (clusterScoped: boolean): PolicyRule[] =>
    rules.flatMap(({ apiGroups, resources: all, ...rule }) =>
      apiGroups.flatMap((group) => {
        const resources = all.filter((resource) => isClusterScoped(group, resource) === clusterScoped);
        return resources.length === 0 ? [] : [{ apiGroups: [group], resources, ...rule }];
      }),
    );
  return [filtered(true), filtered(false)];
}

/** A ClusterRole in a file of this path, without `.yaml`. */
export function clusterRoleFile(path: string, name: string, rules: readonly NonResourceRule[]): GeneratedFile {
  return yamlFile(`${path}.yaml`, role("ClusterRole", { name }, rules));
}

/** A ClusterRole and its binding to a ServiceAccount, in two files. */
export function clusterRoleWithBinding(
  path: string,
  name: string,
  account: { readonly name: string; readonly namespace: string },
  rules: readonly PolicyRule[],
): GeneratedFile[] {
  return [
    yamlFile(`${path}.yaml`, role("ClusterRole", { name }, rules)),
    yamlFile(`${path}_binding.yaml`, binding("ClusterRole", { name }, account)),
  ];
}

function leaseFiles(folder: string, operator: string, namespace: string): GeneratedFile[] {
  const metadata = { name: `${operator}-leader-election`, namespace };
  return [
    yamlFile(`${folder}/leader_election_role.yaml`, role("Role", metadata, deriveLeaseRules())),
    yamlFile(`${folder}/leader_election_role_binding.yaml`, binding("Role", metadata, { name: operator, namespace })),
  ];
}

/** Roles for users of a resource, aggregated to the default ClusterRoles admin, edit and view. */
export function userRoleFiles(resources: readonly DefinedResource[]): GeneratedFile[] {
  return resources.flatMap(({ definition: { group, plural, singular } }) => {
    const file = (who: string, labels: object, verbs: readonly string[]): GeneratedFile =>
      yamlFile(`rbac/users/${singular}_${who}_role.yaml`, {
        ...role("ClusterRole", { name: `${plural}.${group}-${who}`, labels }, [
          { apiGroups: [group], resources: [plural], verbs },
          { apiGroups: [group], resources: [`${plural}/status`], verbs: ["get"] },
        ]),
      });
    const aggregated = (role: string) => ({ [`${rbac}/aggregate-to-${role}`]: "true" });
    return [
      file("admin", aggregated("admin"), ["*"]),
      file("editor", aggregated("edit"), ["create", "delete", "get", "list", "patch", "update", "watch"]),
      file("viewer", aggregated("view"), ["get", "list", "watch"]),
    ];
  });
}

function role(
  kind: "Role" | "ClusterRole",
  metadata: object,
  rules: readonly (PolicyRule | NonResourceRule)[],
): object {
  return { apiVersion: `${rbac}/v1`, kind, metadata, rules };
}

function binding(
  kind: "Role" | "ClusterRole",
  metadata: { readonly name: string; readonly namespace?: string },
  subject: { readonly name: string; readonly namespace: string },
): object {
  return {
    apiVersion: `${rbac}/v1`,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: rbac, kind, name: metadata.name },
    subjects: [{ kind: "ServiceAccount", ...subject }],
  };
}
