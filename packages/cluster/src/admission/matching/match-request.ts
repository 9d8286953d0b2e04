import type { GroupVersionKind } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import type { LabelSelector, Labels } from "@kubewright/core/selector";
import {
  type AdmissionRequest,
  metadataOf,
  namespacesBucket,
  notFound,
  objectAt,
  type Resource,
} from "../../registry/index.js";
import { admittedObject, admittedOld } from "./admitted-object.js";
import type { MatchContext } from "./match-context.js";
import type { MatchCriteria, MatchRule } from "./match-criteria.js";
import { matchesName, matchesRule } from "./match-rule.js";
import { kindOfRequest, namespaceOfRequest } from "./request-attributes.js";

/** How a webhook or policy matched: as which resource and kind it expects the request. */
export interface Match {
  /** The requested resource, or an equivalent one whose version the rule names. */
  readonly resource: Resource;
  /** The kind of the object in that version. */
  readonly kind: GroupVersionKind;
}

/**
 * Matches a request against the criteria of a webhook or a policy; undefined if it does not apply.
 *
 * Reads the current object of the request, which mutation may have changed. Throws a 404 if the criteria match otherwise, but the namespace
 * whose labels decide does not exist.
 */
export function matchRequest(
  request: AdmissionRequest,
  criteria: MatchCriteria,
  context: MatchContext,
): Match | undefined {
  const namespace = matchNamespace(request, criteria.namespaceSelector, context);
  if (namespace === "differs" || !matchesObject(request, criteria.objectSelector)) return undefined;
  if (matchRules(request, criteria.excluded, criteria, context) !== undefined) return undefined;
  const { rules } = criteria;
  const match =
    rules === undefined ? asRequested(request.resource, request) : matchRules(request, rules, criteria, context);
  if (match !== undefined && namespace === "missing")
    throw notFound({ group: "", plural: "namespaces", kind: "Namespace" }, namespaceOfRequest(request));
  return match;
}

function matchRules(
  request: AdmissionRequest,
  rules: readonly MatchRule[],
  { isEquivalent }: MatchCriteria,
  { equivalents }: MatchContext,
): Match | undefined {
  const { resource, subresource, name } = request;
  const isMatch = (rule: MatchRule, one: Resource): boolean =>
    matchesRule(rule, request, one) && matchesName(rule, name);
  if (rules.some((rule) => isMatch(rule, resource))) return asRequested(resource, request);
  if (!isEquivalent || rules.length === 0) return undefined;
  const others = equivalents(resource).filter((one) => one !== resource && hasPart(one, subresource));
  for (const rule of rules) {
    const found = others.find((one) => isMatch(rule, one));
    if (found) return asRequested(found, request);
  }
  return undefined;
}

function hasPart({ subresources }: Resource, subresource: string): boolean {
  return subresource === "" || subresources.some(({ name }) => name === subresource);
}

function asRequested(resource: Resource, { subresource }: AdmissionRequest): Match {
  return { resource, kind: kindOfRequest(resource, subresource) };
}

/** Requests for cluster-scoped objects match every selector, except those for a Namespace, whose own labels count. */
function matchNamespace(
  request: AdmissionRequest,
  selector: LabelSelector,
  { namespaceLabels }: MatchContext,
): "matches" | "differs" | "missing" {
  if (selector.requirements.length === 0) return "matches";
  const { resource, subresource, operation } = request;
  const isNamespace = resource.bucket === namespacesBucket;
  const name = namespaceOfRequest(request);
  if (name === "" && !isNamespace) return "matches";
  const isOwn = isNamespace && subresource === "" && (operation === "CREATE" || operation === "UPDATE");
  const labels = isOwn ? labelsOf(request.object) : namespaceLabels(name);
  if (labels === undefined) return "missing";
  return selector.matches(labels) ? "matches" : "differs";
}

function matchesObject(request: AdmissionRequest, selector: LabelSelector): boolean {
  if (selector.requirements.length === 0) return true;
  // The options of a connection have no metadata: no selector matches them.
  if (request.operation === "CONNECT") return false;
  const isSelected = (object: JsonObject | undefined): boolean =>
    object !== undefined && selector.matches(labelsOf(object));
  return isSelected(admittedObject(request)) || isSelected(admittedOld(request));
}

function labelsOf(object: JsonObject): Labels {
  return objectAt(metadataOf(object), "labels") as Labels;
}
