import { forbidden, invalid, required } from "@kubewright/core/schema";
import type { Affinity, NodeAffinity, NodeSelector, NodeSelectorTerm, PodAffinityTerm } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { labelName, labelValue, qualifiedName, subdomainName } from "../../../name-rules.js";
import { checkLabelSelector, checkName, type Errors, entriesAt } from "../../../validation/index.js";
import { checkLabelKeys } from "./check-label-keys.js";

const requiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";
const preferredTerms = "preferredDuringSchedulingIgnoredDuringExecution";

/** Validates the affinity of a pod. */
export function checkAffinity(affinity: Decoded<Affinity>, field: string, errors: Errors): void {
  if (affinity.nodeAffinity) checkNodeAffinity(affinity.nodeAffinity, `${field}.nodeAffinity`, errors);
  for (const kind of ["podAffinity", "podAntiAffinity"] as const) {
    const pods = affinity[kind] ?? {};
    for (const [term, at] of entriesAt(pods, requiredTerms, `${field}.${kind}`)) checkPodTerm(term, at, errors);
    for (const [term, at] of entriesAt(pods, preferredTerms, `${field}.${kind}`)) {
      checkWeight(term, at, errors);
      checkPodTerm(term.podAffinityTerm ?? {}, `${at}.podAffinityTerm`, errors);
    }
  }
}

function checkWeight({ weight = 0 }: { readonly weight?: number }, field: string, errors: Errors): void {
  if (weight <= 0 || weight > 100) errors.push(invalid(`${field}.weight`, weight, "must be in the range 1-100"));
}

function checkNodeAffinity(affinity: Decoded<NodeAffinity>, field: string, errors: Errors): void {
  const selector = affinity[requiredTerms];
  if (selector) checkNodeSelector(selector, `${field}.${requiredTerms}`, errors);
  for (const [term, at] of entriesAt(affinity, preferredTerms, field)) {
    checkWeight(term, at, errors);
    checkNodeTerm(term.preference ?? {}, `${at}.preference`, false, errors);
  }
}

/** Validates a NodeSelector. */
export function checkNodeSelector(selector: Decoded<NodeSelector>, at: string, errors: Errors): void {
  if (!selector.nodeSelectorTerms?.length)
    errors.push(required(`${at}.nodeSelectorTerms`, "must have at least one node selector term"));
  for (const [term, place] of entriesAt(selector, "nodeSelectorTerms", at)) checkNodeTerm(term, place, true, errors);
}

function checkNodeTerm(term: Decoded<NodeSelectorTerm>, field: string, checksValues: boolean, errors: Errors): void {
  for (const [{ key = "", operator = "", values = [] }, at] of entriesAt(term, "matchExpressions", field)) {
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
    checkName(key, qualifiedName, `${at}.key`, errors);
    if (checksValues)
      for (const [index, value] of values.entries()) checkName(value, labelValue, `${at}.values[${index}]`, errors);
  }
  for (const [{ key = "", operator = "", values = [] }, at] of entriesAt(term, "matchFields", field)) {
    if (operator !== "In" && operator !== "NotIn")
      errors.push(invalid(`${at}.operator`, operator, "not a valid selector operator"));
    else if (values.length !== 1)
      errors.push(
        required(`${at}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"),
      );
    if (key !== "metadata.name") errors.push(invalid(`${at}.key`, key, "not a valid field selector key"));
    else
      for (const [index, value] of values.entries()) checkName(value, subdomainName, `${at}.values[${index}]`, errors);
  }
}

function checkPodTerm(term: Decoded<PodAffinityTerm>, field: string, errors: Errors): void {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = "" } = term;
  checkLabelSelector(labelSelector, `${field}.labelSelector`, errors);
  checkLabelSelector(namespaceSelector, `${field}.namespaceSelector`, errors);
  for (const name of namespaces) checkName(name, labelName, `${field}.namespace`, errors);
  checkLabelKeys(term, field, errors);
  if (topologyKey === "") errors.push(required(`${field}.topologyKey`, "can not be empty"));
  checkName(topologyKey, qualifiedName, `${field}.topologyKey`, errors);
}
