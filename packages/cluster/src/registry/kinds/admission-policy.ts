import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { childDraft, listAt, objectAt, setDefault, textAt, textsAt } from "../draft.js";
import type { Extensions } from "../extensions/index.js";
import { subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";
import { checkChanging, checkConditions, checkMatch, defaultOptionalMatch } from "./admission-rules.js";
import {
  checkEnum,
  checkName,
  checkOptionalEnum,
  checkPresent,
  checkRequiredName,
  type Errors,
  entriesAt,
  partAt,
} from "./field-checks.js";
import { pathSegmentName } from "./generic.js";
import { checkLabelSelector, printSelector } from "./label-selectors.js";
import { keepOtherPart, specChanged } from "./workload.js";

const notEvaluated =
  'policies are written in CEL, which this server does not evaluate: remove them, or start it with `--unevaluated-rules=warn` (`unevaluatedRules: "warn"`) to accept them without effect';
const withoutEffect = "spec: expressions in CEL are not evaluated by this server; the policy has no effect";

/** What policies have in common. */
const policy = {
  nameRule: subdomainName,
  unconditionalUpdate: false,
  tracksGeneration: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setDefault(spec, "failurePolicy", "Fail");
    defaultOptionalMatch(spec, "matchConstraints");
  },
  isNewGeneration: specChanged,
} satisfies Partial<Strategy>;

/** Whether expressions are refused; only a server that was told so takes them without effect. */
function refuseExpressions(field: string, errors: Errors, extensions: Extensions): void {
  if (errors.length === 0 && extensions.rules !== "warn") errors.push(forbidden(field, notEvaluated));
}

/**
 * Policies that say yes or no to a write, in CEL. Only their form is checked: this server does not evaluate expressions, and refuses
 * policies unless it was started to take them without effect.
 */
export const validatingPolicyStrategy: Strategy = {
  ...policy,
  prepareNew(draft) {
    draft["status"] = {};
  },
  prepareChange: keepOtherPart,
  check(object, _old, subresource, extensions) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    checkPolicy(spec, errors);
    refuseExpressions("spec.validations", errors, extensions);
    return errors;
  },
  warn: () => [withoutEffect],
  columns: [
    nameColumn,
    { name: "Validations", type: "integer", cell: (object) => listAt(objectAt(object, "spec"), "validations").length },
    { name: "ParamKind", type: "string", cell: printParameterKind },
    ageColumn,
  ],
};

function printParameterKind(object: JsonObject): string {
  const kind = partAt(objectAt(object, "spec"), "paramKind");
  return kind ? `${textAt(kind, "apiVersion")}/${textAt(kind, "kind")}` : "<unset>";
}

/** Policies that change what is written, in CEL; the same holds for them. */
export const mutatingPolicyStrategy: Strategy = {
  ...policy,
  check(object, _old, _subresource, extensions) {
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    checkHead(spec, errors);
    if (listAt(spec, "mutations").length === 0)
      errors.push(required("spec.mutations", "mutations must contain at least one item"));
    checkEnum(textAt(spec, "reinvocationPolicy"), ["IfNeeded", "Never"], "spec.reinvocationPolicy", errors);
    refuseExpressions("spec.mutations", errors, extensions);
    return errors;
  },
  warn: () => [withoutEffect],
  columns: [
    nameColumn,
    { name: "Mutations", type: "integer", cell: (object) => listAt(objectAt(object, "spec"), "mutations").length },
    { name: "ParamKind", type: "string", cell: printParameterKind },
    ageColumn,
  ],
};

/** What is wrong with which requests a policy is for. */
function checkHead(spec: JsonObject, errors: Errors): void {
  checkOptionalEnum(spec["failurePolicy"], ["Fail", "Ignore"], "spec.failurePolicy", errors);
  const kind = partAt(spec, "paramKind");
  if (kind) checkPresent(kind, ["apiVersion", "kind"], "spec.paramKind", errors);
  const match = partAt(spec, "matchConstraints");
  if (!match) errors.push(required("spec.matchConstraints"));
  else {
    checkMatch(match, "spec.matchConstraints", errors);
    if (listAt(match, "resourceRules").length === 0) errors.push(required("spec.matchConstraints.resourceRules"));
  }
  checkConditions(spec, "spec", errors);
}

function checkPolicy(spec: JsonObject, errors: Errors): void {
  checkHead(spec, errors);
  const why = "validations or auditAnnotations must contain at least one item";
  if (listAt(spec, "validations").length + listAt(spec, "auditAnnotations").length === 0)
    for (const key of ["validations", "auditAnnotations"]) errors.push(required(`spec.${key}`, why));
  for (const [validation, at] of entriesAt(spec, "validations", "spec")) {
    if (textAt(validation, "expression").trim() === "")
      errors.push(required(`${at}.expression`, "expression is not specified"));
    if (/[\r\n]/.test(textAt(validation, "message").trim()))
      errors.push(invalid(`${at}.message`, textAt(validation, "message"), "must not contain line breaks"));
    checkOptionalEnum(validation["reason"], ["Forbidden", "Invalid", "RequestEntityTooLarge"], `${at}.reason`, errors);
  }
}

/** Where a policy holds, and what becomes of a write that breaks it. */
function bindingStrategy(isValidating: boolean): Strategy {
  return {
    nameRule: subdomainName,
    unconditionalUpdate: false,
    tracksGeneration: true,
    applyDefaults(draft) {
      defaultOptionalMatch(childDraft(draft, "spec"), "matchResources");
    },
    isNewGeneration: specChanged,
    check(object) {
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
    columns: [
      nameColumn,
      { name: "PolicyName", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "policyName") },
      { name: "ParamRef", type: "string", cell: printParameters },
      ageColumn,
    ],
  };
}

/** Where a policy holds that says yes or no. */
export const validatingPolicyBindingStrategy: Strategy = bindingStrategy(true);

/** Where a policy holds that changes what is written. */
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
