import { duplicate, invalid, notSupported, required, tooMany } from "@kubewright/core/schema";
import type {
  MatchCondition,
  MatchResources,
  RuleWithOperations,
  ValidatingWebhook,
} from "kubewright/k8s/admissionregistration/v1";
import type { Decoded, Drafted } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { pathSegmentName, qualifiedName } from "../../name-rules.js";
import { checkLabelSelector, checkName, checkOptionalEnum, type Errors, entriesAt } from "../../validation/index.js";
import { type AdmissionVariables, compileCondition } from "./admission-expressions.js";

const operations: readonly string[] = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

/** Sets the defaults of the match fields of a webhook or policy. */
export function defaultMatch(match: Drafted<MatchResources & Pick<ValidatingWebhook, "rules">>): void {
  match.matchPolicy ??= "Equivalent";
  childDraft(match, "namespaceSelector");
  childDraft(match, "objectSelector");
  const { rules = [], resourceRules = [], excludeResourceRules = [] } = match;
  for (const rule of [...rules, ...resourceRules, ...excludeResourceRules]) rule.scope ??= "*";
}

/** Validates a RuleWithOperations. */
export function checkRequestRule(rule: Decoded<RuleWithOperations>, at: string, errors: Errors): void {
  const listed = rule.operations ?? [];
  if (listed.length === 0) errors.push(required(`${at}.operations`));
  if (listed.length > 1 && listed.includes("*"))
    errors.push(invalid(`${at}.operations`, listed, "if '*' is present, must not specify other operations"));
  for (const [index, operation] of listed.entries())
    if (!operations.includes(operation)) errors.push(notSupported(`${at}.operations[${index}]`, operation, operations));
  for (const [key, label] of [
    ["apiGroups", "API groups"],
    ["apiVersions", "API versions"],
  ] as const) {
    const values = rule[key] ?? [];
    if (values.length === 0) errors.push(required(`${at}.${key}`));
    if (values.length > 1 && values.includes("*"))
      errors.push(invalid(`${at}.${key}`, values, `if '*' is present, must not specify other ${label}`));
  }
  for (const [index, version] of (rule.apiVersions ?? []).entries())
    if (version === "") errors.push(required(`${at}.apiVersions[${index}]`));
  checkResources(rule.resources ?? [], `${at}.resources`, errors);
  checkOptionalEnum(rule.scope, ["*", "Cluster", "Namespaced"], `${at}.scope`, errors);
}

function checkResources(resources: readonly string[], field: string, errors: Errors): void {
  if (resources.length === 0) errors.push(required(field));
  const anyPart = new Set<string>();
  const anyResource = new Set<string>();
  // As in kube-apiserver, the last resource without a subresource decides.
  let hasPlain = false;
  for (const [index, resource] of resources.entries()) {
    if (resource === "") {
      errors.push(required(`${field}[${index}]`));
      continue;
    }
    const slash = resource.indexOf("/");
    if (slash < 0) {
      hasPlain = resource !== "*";
      continue;
    }
    const [name, part] = [resource.slice(0, slash), resource.slice(slash + 1)];
    if (anyPart.has(name))
      errors.push(invalid(`${field}[${index}]`, resource, `if '${name}/*' is present, must not specify ${resource}`));
    if (anyResource.has(part))
      errors.push(invalid(`${field}[${index}]`, resource, `if '*/${part}' is present, must not specify ${resource}`));
    if (part === "*") anyPart.add(name);
    if (name === "*") anyResource.add(part);
  }
  if (resources.length > 1 && resources.includes("*/*"))
    errors.push(invalid(field, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes("*") && hasPlain)
    errors.push(invalid(field, resources, "if '*' is present, must not specify other resources without subresources"));
}

/** Validates match conditions. `variables` are those that their expressions may use; without it, expressions are not compiled. */
export function checkConditions(
  parent: Decoded<{ matchConditions?: MatchCondition[] }>,
  field: string,
  errors: Errors,
  variables?: AdmissionVariables,
): void {
  const names = new Set<string>();
  const count = parent.matchConditions?.length ?? 0;
  if (count > 64) errors.push(tooMany(`${field}.matchConditions`, count, 64));
  for (const [{ name = "", expression = "" }, at] of entriesAt(parent, "matchConditions", field)) {
    if (expression.trim() === "") errors.push(required(`${at}.expression`));
    else if (variables) {
      const compiled = compileCondition(expression, variables);
      if (compiled.kind === "rejected") errors.push(invalid(`${at}.expression`, expression.trim(), compiled.message));
    }
    if (name === "") {
      errors.push(required(`${at}.name`));
      continue;
    }
    checkName(name, qualifiedName, `${at}.name`, errors);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
  }
}

/** Validates the MatchResources of a policy. */
export function checkMatch(match: Decoded<MatchResources>, field: string, errors: Errors): void {
  checkOptionalEnum(match.matchPolicy, ["Equivalent", "Exact"], `${field}.matchPolicy`, errors);
  checkLabelSelector(match.namespaceSelector, `${field}.namespaceSelector`, errors);
  checkLabelSelector(match.objectSelector, `${field}.objectSelector`, errors);
  for (const list of ["resourceRules", "excludeResourceRules"] as const)
    for (const [rule, at] of entriesAt(match, list, field)) {
      const names = rule.resourceNames ?? [];
      for (const [index, name] of names.entries()) {
        checkName(name, pathSegmentName, `${at}.resourceNames[${index}]`, errors);
        if (names.indexOf(name) < index) errors.push(duplicate(`${at}.resourceNames[${index}]`, name));
      }
      checkRequestRule(rule, at, errors);
    }
}

const mutableOperations: readonly string[] = ["*", "CONNECT", "CREATE", "UPDATE"];

/** Rejects operations that a mutating policy cannot match. */
export function checkMutableOperations(match: Decoded<MatchResources>, field: string, errors: Errors): void {
  for (const { operations = [] } of match.resourceRules ?? [])
    for (const operation of operations)
      if (!mutableOperations.includes(operation))
        errors.push(notSupported(`${field}.resourceRules.operations`, operation, mutableOperations));
}
