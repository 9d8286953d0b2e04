import { createdColumn, nameColumn } from "../../columns.js";
import type { Strategy } from "../../resource.js";
import type { Errors } from "../../validation/index.js";
import { checkRules, shared } from "./policy-rules.js";

/** Role. */
export const roleStrategy: Strategy = {
  ...shared,
  check(object) {
    const errors: Errors = [];
    checkRules(object, true, errors);
    return errors;
  },
  columns: [nameColumn, createdColumn],
};
