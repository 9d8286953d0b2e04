import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft, draftsIn, objectAt, setDefault, textAt } from "../../draft.js";
import { pathSegmentName, subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import { checkName, type Errors, entriesAt } from "../../validation/index.js";
import { group, shared } from "./policy-rules.js";

/** RoleBinding and ClusterRoleBinding: roleRef is immutable. */
function bindingStrategy(kinds: readonly string[]): Strategy {
  const isNamespaced = kinds.includes("Role");
  return {
    ...shared,
    applyDefaults(draft) {
      setDefault(childDraft(draft, "roleRef"), "apiGroup", group);
      for (const subject of draftsIn(draft["subjects"]))
        if (subject["kind"] === "User" || subject["kind"] === "Group") setDefault(subject, "apiGroup", group);
    },
    validate(object, old) {
      const errors: Errors = [];
      const role = objectAt(object, "roleRef");
      if (textAt(role, "apiGroup") !== group)
        errors.push(notSupported("roleRef.apiGroup", textAt(role, "apiGroup"), [group]));
      if (!kinds.includes(textAt(role, "kind"))) errors.push(notSupported("roleRef.kind", textAt(role, "kind"), kinds));
      if (textAt(role, "name") === "") errors.push(required("roleRef.name"));
      else checkName(textAt(role, "name"), pathSegmentName, "roleRef.name", errors);
      for (const [subject, at] of entriesAt(object, "subjects", ""))
        checkSubject(subject, at.slice(1), isNamespaced, errors);
      if (old && !deepEqual(role, objectAt(old, "roleRef")))
        errors.push(invalid("roleRef", role, "cannot change roleRef"));
      return errors;
    },
    table: {
      columns: [
        nameColumn,
        {
          name: "Role",
          type: "string",
          cell: (object) =>
            `${textAt(objectAt(object, "roleRef"), "kind")}/${textAt(objectAt(object, "roleRef"), "name")}`,
        },
        ageColumn,
        subjectsColumn("Users", "User"),
        subjectsColumn("Groups", "Group"),
        subjectsColumn("ServiceAccounts", "ServiceAccount"),
      ],
    },
  };
}

/** RoleBinding. */
export const roleBindingStrategy: Strategy = bindingStrategy(["Role", "ClusterRole"]);

/** ClusterRoleBinding. */
export const clusterRoleBindingStrategy: Strategy = bindingStrategy(["ClusterRole"]);

function checkSubject(subject: JsonObject, at: string, isNamespaced: boolean, errors: Errors): void {
  const name = textAt(subject, "name");
  const given = textAt(subject, "apiGroup");
  if (name === "") errors.push(required(`${at}.name`));
  switch (textAt(subject, "kind")) {
    case "ServiceAccount":
      if (name !== "") checkName(name, subdomainName, `${at}.name`, errors);
      if (given !== "") errors.push(notSupported(`${at}.apiGroup`, given, [""]));
      if (!isNamespaced && textAt(subject, "namespace") === "") errors.push(required(`${at}.namespace`));
      return;
    case "User":
    case "Group":
      if (given !== group) errors.push(notSupported(`${at}.apiGroup`, given, [group]));
      return;
    default:
      errors.push(notSupported(`${at}.kind`, textAt(subject, "kind"), ["ServiceAccount", "User", "Group"]));
  }
}

function subjectsColumn(name: string, kind: string): Column {
  return {
    name,
    type: "string",
    priority: 1,
    cell: (object) =>
      [...entriesAt(object, "subjects", "")]
        .filter(([subject]) => textAt(subject, "kind") === kind)
        .map(([subject]) =>
          kind === "ServiceAccount"
            ? `${textAt(subject, "namespace")}/${textAt(subject, "name")}`
            : textAt(subject, "name"),
        )
        .join(", "),
  };
}
