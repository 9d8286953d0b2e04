import type { Operator } from "kubewright";
import { deriveLeaseRules, type PolicyRule } from "kubewright/permissions";
import type { DefinedResource } from "./defined-resource.js";
import { type GeneratedFile, yamlFile } from "./generated-file.js";

const rbac = "rbac.authorization.k8s.io";

/** Where and how an operator runs, as far as its permissions go. */
export interface RoleOptions {
  /** Where its ServiceAccount is. */
  readonly namespace: string;
  /** It sees its own namespace alone: a Role instead of a ClusterRole. */
  readonly namespaced: boolean;
  readonly leaderElection: boolean;
  readonly installCRDs: boolean;
  readonly migrateStored: boolean;
}

/** ServiceAccount, role and binding of each operator, in `rbac/`. */
export function operatorRoleFiles(operators: readonly Operator[], options: RoleOptions): GeneratedFile[] {
  return operators.flatMap((operator) => {
    const { name } = operator;
    const { namespace, namespaced, leaderElection, installCRDs, migrateStored } = options;
    const folder = operators.length === 1 ? "rbac" : `rbac/${name}`;
    const all = operator.rules({ installCRDs, migrateStored });
    const [wide, narrow] = namespaced ? splitByScope(all, operator) : [[], all];
    const kind = namespaced ? "Role" : "ClusterRole";
    const metadata = { name, ...(namespaced && { namespace }) };
    return [
      yamlFile(`${folder}/service_account.yaml`, {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name, namespace },
      }),
      yamlFile(`${folder}/role.yaml`, role(kind, metadata, narrow)),
      yamlFile(`${folder}/role_binding.yaml`, binding(kind, metadata, { name, namespace })),
      ...(wide.length === 0
        ? []
        : [
            yamlFile(`${folder}/cluster_role.yaml`, role("ClusterRole", { name }, wide)),
            yamlFile(`${folder}/cluster_role_binding.yaml`, binding("ClusterRole", { name }, { name, namespace })),
          ]),
      ...(leaderElection ? leaseFiles(folder, name, namespace) : []),
    ];
  });
}

/** Rules for what belongs to no namespace, which a Role cannot give, and the others. */
function splitByScope(
  rules: readonly PolicyRule[],
  { controllers }: Operator,
): [wide: PolicyRule[], narrow: PolicyRule[]] {
  const kinds = controllers.flatMap(({ kind, owns, uses, watches }) => [
    kind,
    ...owns,
    ...[...uses, ...watches].map((one) => one.kind),
  ]);
  const isWide = (group: string, resource: string): boolean => {
    const [plural] = resource.split("/");
    if (group === "apiextensions.k8s.io") return true;
    return kinds.some((kind) => kind.group === group && kind.plural === plural && kind.scope === "Cluster");
  };
  const some = (wanted: boolean): PolicyRule[] =>
    rules.flatMap(({ apiGroups, resources: all, verbs }) =>
      apiGroups.flatMap((group) => {
        const resources = all.filter((resource) => isWide(group, resource) === wanted);
        return resources.length === 0 ? [] : [{ apiGroups: [group], resources, verbs }];
      }),
    );
  return [some(true), some(false)];
}

function leaseFiles(folder: string, operator: string, namespace: string): GeneratedFile[] {
  const metadata = { name: `${operator}-leader-election`, namespace };
  return [
    yamlFile(`${folder}/leader_election_role.yaml`, role("Role", metadata, deriveLeaseRules())),
    yamlFile(`${folder}/leader_election_role_binding.yaml`, binding("Role", metadata, { name: operator, namespace })),
  ];
}

/** For people who use a resource: roles to administer, edit and view it, aggregated to the cluster's own roles of these names. */
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

function role(kind: "Role" | "ClusterRole", metadata: object, rules: readonly PolicyRule[]): object {
  return { apiVersion: `${rbac}/v1`, kind, metadata, rules };
}

function binding(
  kind: "Role" | "ClusterRole",
  metadata: { readonly name: string },
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
