import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, required } from "@kubewright/core/schema";
import { listAt, numberAt, partAt, textAt, textsAt } from "../../../draft.js";
import { labelName, labelValue, qualifiedName, subdomainName } from "../../../name-rules.js";
import { checkLabelSelector, checkName, type Errors, entriesAt } from "../../../validation/index.js";
import { checkLabelKeys } from "./check-label-keys.js";

const must = "requiredDuringSchedulingIgnoredDuringExecution";
const should = "preferredDuringSchedulingIgnoredDuringExecution";

/** Validates the affinity of a pod. */
export function checkAffinity(affinity: JsonObject, field: string, errors: Errors): void {
  const node = partAt(affinity, "nodeAffinity");
  if (node !== undefined) checkNodeAffinity(node, `${field}.nodeAffinity`, errors);
  for (const kind of ["podAffinity", "podAntiAffinity"]) {
    const pods = partAt(affinity, kind);
    if (pods === undefined) continue;
    for (const [term, at] of entriesAt(pods, must, `${field}.${kind}`)) checkPodTerm(term, at, errors);
    for (const [term, at] of entriesAt(pods, should, `${field}.${kind}`)) {
      checkWeight(term, at, errors);
      checkPodTerm(partAt(term, "podAffinityTerm") ?? {}, `${at}.podAffinityTerm`, errors);
    }
  }
}

function checkWeight(term: JsonObject, field: string, errors: Errors): void {
  const weight = numberAt(term, "weight");
  if (weight <= 0 || weight > 100) errors.push(invalid(`${field}.weight`, weight, "must be in the range 1-100"));
}

function checkNodeAffinity(affinity: JsonObject, field: string, errors: Errors): void {
  const selector = partAt(affinity, must);
  if (selector !== undefined) {
    const at = `${field}.${must}`;
    checkNodeSelector(selector, at, errors);
  }
  for (const [term, at] of entriesAt(affinity, should, field)) {
    checkWeight(term, at, errors);
    checkNodeTerm(partAt(term, "preference") ?? {}, `${at}.preference`, false, errors);
  }
}

/** Validates a NodeSelector. */
export function checkNodeSelector(selector: JsonObject, at: string, errors: Errors): void {
  if (listAt(selector, "nodeSelectorTerms").length === 0)
    errors.push(required(`${at}.nodeSelectorTerms`, "must have at least one node selector term"));
  for (const [term, place] of entriesAt(selector, "nodeSelectorTerms", at)) checkNodeTerm(term, place, true, errors);
}

function checkNodeTerm(term: JsonObject, field: string, checksValues: boolean, errors: Errors): void {
  for (const [requirement, at] of entriesAt(term, "matchExpressions", field)) {
    const values = textsAt(requirement, "values");
    const operator = textAt(requirement, "operator");
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0)
        errors.push(required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0)
        errors.push(forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else if (operator === "Gt" || operator === "Lt") {
      if (values.length !== 1)
        errors.push(required(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    } else errors.push(invalid(`${at}.operator`, operator, "not a valid selector operator"));
    checkName(textAt(requirement, "key"), qualifiedName, `${at}.key`, errors);
    if (checksValues)
      for (const [index, value] of values.entries()) checkName(value, labelValue, `${at}.values[${index}]`, errors);
  }
  for (const [requirement, at] of entriesAt(term, "matchFields", field)) {
    const values = textsAt(requirement, "values");
    const operator = textAt(requirement, "operator");
    if (operator !== "In" && operator !== "NotIn")
      errors.push(invalid(`${at}.operator`, operator, "not a valid selector operator"));
    else if (values.length !== 1)
      errors.push(
        required(`${at}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"),
      );
    const key = textAt(requirement, "key");
    if (key !== "metadata.name") errors.push(invalid(`${at}.key`, key, "not a valid field selector key"));
    else
      for (const [index, value] of values.entries()) checkName(value, subdomainName, `${at}.values[${index}]`, errors);
  }
}

function checkPodTerm(term: JsonObject, field: string, errors: Errors): void {
  for (const kind of ["labelSelector", "namespaceSelector"]) checkLabelSelector(term[kind], `${field}.${kind}`, errors);
  for (const name of textsAt(term, "namespaces")) checkName(name, labelName, `${field}.namespace`, errors);
  checkLabelKeys(term, field, errors);
  const topology = textAt(term, "topologyKey");
  if (topology === "") errors.push(required(`${field}.topologyKey`, "can not be empty"));
  checkName(topology, qualifiedName, `${field}.topologyKey`, errors);
}
