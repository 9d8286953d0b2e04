import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft, objectAt, partAt, textAt, textsAt } from "../../draft.js";
import { pathSegmentName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkLabelSelector,
  checkName,
  checkRequiredName,
  type Errors,
  printSelector,
} from "../../validation/index.js";
import { specChanged } from "../spec-and-status.js";
import { checkChanging, checkMatch, defaultOptionalMatch } from "./admission-rules.js";

/** ValidatingAdmissionPolicyBinding and MutatingAdmissionPolicyBinding. */
function bindingStrategy(isValidating: boolean): Strategy {
  return {
    nameRule: subdomainName,
    allowUnconditionalUpdate: false,
    applyDefaults(draft) {
      defaultOptionalMatch(childDraft(draft, "spec"), "matchResources");
    },
    isNewGeneration: specChanged,
    validate(object) {
      const errors: Errors = [];
      const spec = objectAt(object, "spec");
      checkRequiredName(textAt(spec, "policyName"), subdomainName, "spec.policyName", errors);
      const parameters = partAt(spec, "paramRef");
      if (parameters) checkParameters(parameters, errors);
      checkMatch(spec["matchResources"], "spec.matchResources", errors);
      if (!isValidating) checkChanging(spec["matchResources"], "spec.matchResources", errors);
      if (isValidating) checkActions(textsAt(spec, "validationActions"), errors);
      return errors;
    },
    table: {
      columns: [
        nameColumn,
        { name: "PolicyName", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "policyName") },
        { name: "ParamRef", type: "string", cell: printParameters },
        ageColumn,
      ],
    },
  };
}

/** ValidatingAdmissionPolicyBinding. */
export const validatingPolicyBindingStrategy: Strategy = bindingStrategy(true);

/** MutatingAdmissionPolicyBinding. */
export const mutatingPolicyBindingStrategy: Strategy = bindingStrategy(false);

function printParameters(object: JsonObject): string {
  const parameters = partAt(objectAt(object, "spec"), "paramRef");
  const name = textAt(parameters ?? {}, "name");
  if (name !== "") return `${textAt(parameters ?? {}, "namespace") || "*"}/${name}`;
  return isJsonObject(parameters?.["selector"]) ? printSelector(parameters["selector"]) : "<unset>";
}

function checkParameters(parameters: JsonObject, errors: Errors): void {
  const field = "spec.paramRef";
  const name = textAt(parameters, "name");
  const selector = partAt(parameters, "selector");
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
  const action = textAt(parameters, "parameterNotFoundAction");
  if (action === "") errors.push(required(`${field}.parameterNotFoundAction`));
  else if (action !== "Deny" && action !== "Allow")
    errors.push(notSupported(`${field}.parameterNotFoundAction`, action, ["Deny", "Allow"]));
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
