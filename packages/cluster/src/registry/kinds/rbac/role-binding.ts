import { deepEqual } from "@kubewright/core/json";
import { invalid, notSupported, required } from "@kubewright/core/schema";
import type { ClusterRoleBinding, RoleBinding, Subject } from "kubewright/k8s/rbac/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { pathSegmentName, subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import { checkName, checkRequiredName, type Errors, entriesAt } from "../../validation/index.js";
import { checkBindingGrant } from "./escalation.js";
import { group, shared } from "./policy-rules.js";

type Binding = RoleBinding | ClusterRoleBinding;

/** The strategy of RoleBinding and ClusterRoleBinding. roleRef is immutable. */
function bindingStrategy(kinds: readonly string[]): Strategy<Binding> {
  const isNamespaced = kinds.includes("Role");
  return {
    ...shared,
    authorize(object, old, context) {
      checkBindingGrant(isNamespaced ? "rolebindings" : "clusterrolebindings", object, { old, context });
    },
    applyDefaults(draft) {
      childDraft(draft, "roleRef").apiGroup ||= group;
      for (const subject of draft.subjects ?? [])
        if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= group;
    },
    validate(object, old) {
      const errors: Errors = [];
      const { roleRef = {} } = object;
      const { apiGroup = "", kind = "", name = "" } = roleRef;
      if (apiGroup !== group) errors.push(notSupported("roleRef.apiGroup", apiGroup, [group]));
      if (!kinds.includes(kind)) errors.push(notSupported("roleRef.kind", kind, kinds));
      checkRequiredName(name, pathSegmentName, "roleRef.name", errors);
      for (const [subject, at] of entriesAt(object, "subjects")) checkSubject(subject, at, isNamespaced, errors);
      if (old && !deepEqual(roleRef, old.roleRef)) errors.push(invalid("roleRef", roleRef, "cannot change roleRef"));
      return errors;
    },
    table: {
      columns: [
        nameColumn,
        { name: "Role", type: "string", cell: ({ roleRef }) => `${roleRef?.kind}/${roleRef?.name}` },
        ageColumn,
        subjectsColumn("Users", "User"),
        subjectsColumn("Groups", "Group"),
        subjectsColumn("ServiceAccounts", "ServiceAccount"),
      ],
    },
  };
}

/** RoleBinding. */
export const roleBindingStrategy: Strategy<RoleBinding> = bindingStrategy(["Role", "ClusterRole"]);

/** ClusterRoleBinding. */
export const clusterRoleBindingStrategy: Strategy<ClusterRoleBinding> = bindingStrategy(["ClusterRole"]);

function checkSubject(subject: Decoded<Subject>, at: string, isNamespaced: boolean, errors: Errors): void {
  const { name = "", apiGroup = "" } = subject;
  if (name === "") errors.push(required(`${at}.name`));
  switch (subject.kind) {
    case "ServiceAccount":
      if (name !== "") checkName(name, subdomainName, `${at}.name`, errors);
      if (apiGroup !== "") errors.push(notSupported(`${at}.apiGroup`, apiGroup, [""]));
      if (!isNamespaced && !subject.namespace) errors.push(required(`${at}.namespace`));
      return;
    case "User":
    case "Group":
      if (apiGroup !== group) errors.push(notSupported(`${at}.apiGroup`, apiGroup, [group]));
      return;
    default:
      errors.push(notSupported(`${at}.kind`, subject.kind ?? "", ["ServiceAccount", "User", "Group"]));
  }
}

function subjectsColumn(name: string, kind: string): Column<Binding> {
  return {
    name,
    type: "string",
    priority: 1,
    cell: ({ subjects = [] }) =>
      subjects
        .filter((subject) => subject.kind === kind)
        .map((subject) => (kind === "ServiceAccount" ? `${subject.namespace ?? ""}/${subject.name}` : subject.name))
        .join(", "),
  };
}
