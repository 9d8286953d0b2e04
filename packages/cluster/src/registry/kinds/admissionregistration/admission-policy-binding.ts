import { duplicate, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type {
  MutatingAdmissionPolicyBinding,
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from "kubewright/k8s/admissionregistration/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { pathSegmentName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkEnum,
  checkLabelSelector,
  checkName,
  checkRequiredName,
  type Errors,
  printSelector,
} from "../../validation/index.js";
import { specChanged } from "../spec-and-status.js";
import { checkMatch, checkMutableOperations, defaultMatch } from "./admission-rules.js";

type Binding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

/** The common strategy of admission policy bindings. */
const binding = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  applyDefaults({ spec }) {
    if (spec?.matchResources) defaultMatch(spec.matchResources);
  },
  isNewGeneration: specChanged,
  table: {
    columns: [
      nameColumn,
      { name: "PolicyName", type: "string", cell: (object) => object.spec?.policyName ?? "" },
      { name: "ParamRef", type: "string", cell: printParameters },
      ageColumn,
    ],
  },
} satisfies Strategy<Binding>;

/** ValidatingAdmissionPolicyBinding. */
export const validatingPolicyBindingStrategy: Strategy<ValidatingAdmissionPolicyBinding> = {
  ...binding,
  validate(object) {
    const errors: Errors = [];
    checkSpec(object, errors);
    checkActions(object.spec?.validationActions ?? [], errors);
    return errors;
  },
};

/** MutatingAdmissionPolicyBinding. */
export const mutatingPolicyBindingStrategy: Strategy<MutatingAdmissionPolicyBinding> = {
  ...binding,
  validate(object) {
    const errors: Errors = [];
    checkSpec(object, errors);
    checkMutableOperations(object.spec?.matchResources ?? {}, "spec.matchResources", errors);
    return errors;
  },
};

function printParameters({ spec }: Decoded<Binding>): string {
  const { name, namespace, selector } = spec?.paramRef ?? {};
  if (name) return `${namespace || "*"}/${name}`;
  return selector ? printSelector(selector) : "<unset>";
}

function checkSpec({ spec = {} }: Decoded<Binding>, errors: Errors): void {
  checkRequiredName(spec.policyName ?? "", subdomainName, "spec.policyName", errors);
  if (spec.paramRef) checkParameters(spec.paramRef, errors);
  if (spec.matchResources) checkMatch(spec.matchResources, "spec.matchResources", errors);
}

function checkParameters(parameters: Decoded<ParamRef>, errors: Errors): void {
  const field = "spec.paramRef";
  const { name = "", selector, parameterNotFoundAction = "" } = parameters;
  const why = "name and selector are mutually exclusive";
  if (name !== "") {
    checkName(name, pathSegmentName, `${field}.name`, errors);
    if (selector) errors.push(forbidden(`${field}.name`, why));
  }
  if (selector) {
    checkLabelSelector(selector, `${field}.selector`, errors);
    if (name !== "") errors.push(forbidden(`${field}.selector`, why));
  }
  if (name === "" && !selector) errors.push(required(field, "one of name or selector must be specified"));
  checkEnum(parameterNotFoundAction, ["Deny", "Allow"], `${field}.parameterNotFoundAction`, errors);
}

function checkActions(actions: readonly string[], errors: Errors): void {
  const field = "spec.validationActions";
  for (const [index, action] of actions.entries()) {
    if (!["Audit", "Deny", "Warn"].includes(action))
      errors.push(notSupported(`${field}[${index}]`, action, ["Audit", "Deny", "Warn"]));
    if (actions.indexOf(action) < index) errors.push(duplicate(`${field}[${index}]`, action));
  }
  if (actions.includes("Deny") && actions.includes("Warn"))
    errors.push(
      invalid(
        field,
        actions,
        "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)",
      ),
    );
  if (actions.length === 0) errors.push(required(field, "at least one validation action is required"));
}
