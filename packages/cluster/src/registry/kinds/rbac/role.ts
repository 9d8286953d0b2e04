import type { Role } from "kubewright/k8s/rbac/v1";
import { createdColumn, nameColumn } from "../../columns.js";
import type { Strategy } from "../../strategy.js";
import type { Errors } from "../../validation/index.js";
import { checkRoleGrant } from "./escalation.js";
import { checkRules, shared } from "./policy-rules.js";

/** Role. */
export const roleStrategy: Strategy<Role> = {
  ...shared,
  authorize(object, old, context) {
    checkRoleGrant("roles", object, { old, context });
  },
  validate(object) {
    const errors: Errors = [];
    checkRules(object, true, errors);
    return errors;
  },
  table: {
    columns: [nameColumn, createdColumn],
  },
};
