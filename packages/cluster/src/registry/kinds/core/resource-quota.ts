import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { listAt, objectAt, partAt, textAt, textsAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkQuantity,
  checkQuotaName,
  type Errors,
  entriesAt,
  immutable,
  isQuotaName,
  quantityOf,
} from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";

const ofPods = ["pods"];
const ofComputing = ["cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
const ofClaims = ["persistentvolumeclaims", "requests.storage"];
/** The resource names that each scope supports. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  Terminating: [...ofPods, ...ofComputing],
  NotTerminating: [...ofPods, ...ofComputing],
  BestEffort: ofPods,
  NotBestEffort: [...ofPods, ...ofComputing],
  PriorityClass: [...ofPods, ...ofComputing],
  CrossNamespacePodAffinity: [...ofPods, ...ofComputing],
  VolumeAttributesClass: ofClaims,
};
const withoutValues = ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"];
const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

/** ResourceQuota. */
export const resourceQuotaStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  prepareForCreate(draft) {
    draft["status"] = {};
  },
  prepareForUpdate: keepOtherPart,
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    if (subresource === "status") {
      for (const key of ["hard", "used"]) checkAmounts(objectAt(object, "status"), key, "status", errors);
      return errors;
    }
    const spec = objectAt(object, "spec");
    checkAmounts(spec, "hard", "spec", errors);
    checkScopes(spec, errors);
    checkSelector(spec, errors);
    const sorted = (one: JsonObject): string[] => [...new Set(textsAt(one, "scopes"))].sort();
    if (old && !deepEqual(sorted(spec), sorted(objectAt(old, "spec"))))
      errors.push(invalid("spec.scopes", spec["scopes"] ?? null, immutable));
    return errors;
  },
  warn: (object, old) => (old ? [] : limitWarnings(objectAt(objectAt(object, "spec"), "hard"))),
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      { name: "Request", type: "string", cell: (object) => printUse(object, false) },
      { name: "Limit", type: "string", cell: (object) => printUse(object, true) },
      ageColumn,
    ],
  },
};

/** Warnings about requests above limits. */
function limitWarnings(hard: JsonObject): string[] {
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((name) => {
    const isBare = hard[`requests.${name}`] === undefined && (name === "cpu" || name === "memory");
    const asked = isBare ? name : `requests.${name}`;
    const limit = `limits.${name}`;
    if (hard[asked] === undefined || hard[limit] === undefined) return [];
    const [request, most] = [quantityOf(hard[asked]), quantityOf(hard[limit])];
    return request.compare(most) > 0
      ? [`ResourceQuota ${asked} (${request}) should be less than ${limit} (${most})`]
      : [];
  });
}

function printUse(object: JsonObject, isLimit: boolean): string {
  const status = objectAt(object, "status");
  return Object.entries(objectAt(status, "hard"))
    .filter(([name]) => name.startsWith("limits.") === isLimit)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hard]) => {
      const used = quantityOf(objectAt(status, "used")[name] ?? "0");
      return `${name}: ${used.toString()}/${quantityOf(hard).toString()}`;
    })
    .join(", ");
}

function checkAmounts(parent: JsonObject, key: string, field: string, errors: Errors): void {
  for (const [name, value] of Object.entries(objectAt(parent, key))) {
    checkQuotaName(name, `${field}.${key}[${name}]`, errors);
    checkQuantity(name, value, `${field}.${key}[${name}]`, errors);
  }
}

/** The resource names that a scope does not support. */
function misplaced(spec: JsonObject, scope: string): string[] {
  const allowed = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  return Object.keys(objectAt(spec, "hard"))
    .sort()
    .filter((name) => isQuotaName(name) && allowed?.includes(name) === false);
}

function checkScopes(spec: JsonObject, errors: Errors): void {
  const given = textsAt(spec, "scopes");
  const field = "spec.scopes";
  for (const scope of given) {
    if (!Object.hasOwn(scopes, scope)) errors.push(invalid(field, given, "unsupported scope"));
    for (const _ of misplaced(spec, scope)) errors.push(invalid(field, given, "unsupported scope applied to resource"));
  }
  for (const [one, other] of opposites)
    if (given.includes(one) && given.includes(other)) errors.push(invalid(field, given, "conflicting scopes"));
}

function checkSelector(spec: JsonObject, errors: Errors): void {
  const selector = partAt(spec, "scopeSelector");
  if (!selector) return;
  const field = "spec.scopeSelector.matchExpressions";
  const named: string[] = [];
  for (const [requirement] of entriesAt(selector, "matchExpressions", "")) {
    const scope = textAt(requirement, "scopeName");
    const operator = textAt(requirement, "operator");
    const values = listAt(requirement, "values");
    named.push(scope);
    if (!Object.hasOwn(scopes, scope)) errors.push(invalid(`${field}.scopeName`, scope, "unsupported scope"));
    for (const _ of misplaced(spec, scope))
      errors.push(invalid(field, selector, "unsupported scope applied to resource"));
    if (withoutValues.includes(scope) && operator !== "Exists")
      errors.push(
        invalid(
          `${field}.operator`,
          operator,
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
        ),
      );
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0)
        errors.push(
          required(
            `${field}.values`,
            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
          ),
        );
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0)
        errors.push(
          invalid(
            `${field}.values`,
            values,
            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
          ),
        );
    } else errors.push(invalid(`${field}.operator`, operator, "not a valid selector operator"));
  }
  for (const [one, other] of opposites)
    if (named.includes(one) && named.includes(other))
      errors.push(invalid(field, spec["scopes"] ?? null, "conflicting scopes"));
}
