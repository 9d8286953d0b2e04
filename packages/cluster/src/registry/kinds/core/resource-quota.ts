import { deepEqual } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import type { ResourceQuota, ResourceQuotaSpec } from "kubewright/k8s/core/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkQuantity,
  checkQuotaName,
  type Errors,
  immutable,
  isQuotaName,
  quantityOf,
} from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";

const podResources = ["pods"];
const computeResources = ["cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
const pvcResources = ["persistentvolumeclaims", "requests.storage"];
/** The resource names that each scope supports. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  Terminating: [...podResources, ...computeResources],
  NotTerminating: [...podResources, ...computeResources],
  BestEffort: podResources,
  NotBestEffort: [...podResources, ...computeResources],
  PriorityClass: [...podResources, ...computeResources],
  CrossNamespacePodAffinity: [...podResources, ...computeResources],
  VolumeAttributesClass: pvcResources,
};
const scopesWithoutValues = [
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
];
const conflictingScopes = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

type ResourceList = NonNullable<Decoded<ResourceQuotaSpec>["hard"]>;

/** ResourceQuota. */
export const resourceQuotaStrategy: Strategy<ResourceQuota> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepOtherPart,
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    if (subresource === "status") {
      checkQuantities(object.status?.hard, "status.hard", errors);
      checkQuantities(object.status?.used, "status.used", errors);
      return errors;
    }
    const spec = object.spec ?? {};
    checkQuantities(spec.hard, "spec.hard", errors);
    checkScopes(spec, errors);
    checkSelector(spec, errors);
    const sorted = ({ scopes = [] }: Decoded<ResourceQuotaSpec>): string[] => [...new Set(scopes)].sort();
    if (old && !deepEqual(sorted(spec), sorted(old.spec ?? {})))
      errors.push(invalid("spec.scopes", spec.scopes ?? null, immutable));
    return errors;
  },
  warn: (object, old) => (old ? [] : limitWarnings(object.spec?.hard ?? {})),
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      { name: "Request", type: "string", cell: (object) => printUsage(object, false) },
      { name: "Limit", type: "string", cell: (object) => printUsage(object, true) },
      ageColumn,
    ],
  },
};

/** Warnings about requests above limits. */
function limitWarnings(hard: ResourceList): string[] {
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((name) => {
    const isBare = hard[`requests.${name}`] === undefined && (name === "cpu" || name === "memory");
    const requestName = isBare ? name : `requests.${name}`;
    const limit = `limits.${name}`;
    if (hard[requestName] === undefined || hard[limit] === undefined) return [];
    const [request, limitQuantity] = [quantityOf(hard[requestName]), quantityOf(hard[limit])];
    return request.compare(limitQuantity) > 0
      ? [`ResourceQuota ${requestName} (${request}) should be less than ${limit} (${limitQuantity})`]
      : [];
  });
}

function printUsage({ status }: Decoded<ResourceQuota>, isLimit: boolean): string {
  return Object.entries(status?.hard ?? {})
    .filter(([name]) => name.startsWith("limits.") === isLimit)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hard]) => {
      const used = quantityOf(status?.used?.[name] ?? "0");
      return `${name}: ${used.toString()}/${quantityOf(hard).toString()}`;
    })
    .join(", ");
}

function checkQuantities(list: ResourceList | undefined, field: string, errors: Errors): void {
  for (const [name, value] of Object.entries(list ?? {})) {
    checkQuotaName(name, `${field}[${name}]`, errors);
    checkQuantity(name, value, `${field}[${name}]`, errors);
  }
}

/** The resource names that a scope does not support. */
function unsupportedNames(spec: Decoded<ResourceQuotaSpec>, scope: string): string[] {
  const allowed = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  return Object.keys(spec.hard ?? {})
    .sort()
    .filter((name) => isQuotaName(name) && allowed?.includes(name) === false);
}

function checkScopes(spec: Decoded<ResourceQuotaSpec>, errors: Errors): void {
  const given = spec.scopes ?? [];
  const field = "spec.scopes";
  for (const scope of given) {
    if (!Object.hasOwn(scopes, scope)) errors.push(invalid(field, given, "unsupported scope"));
    for (const _ of unsupportedNames(spec, scope))
      errors.push(invalid(field, given, "unsupported scope applied to resource"));
  }
  for (const [one, other] of conflictingScopes)
    if (given.includes(one) && given.includes(other)) errors.push(invalid(field, given, "conflicting scopes"));
}

function checkSelector(spec: Decoded<ResourceQuotaSpec>, errors: Errors): void {
  const selector = spec.scopeSelector;
  if (!selector) return;
  const field = "spec.scopeSelector.matchExpressions";
  const named: string[] = [];
  for (const { scopeName: scope = "", operator = "", values = [] } of selector.matchExpressions ?? []) {
    named.push(scope);
    if (!Object.hasOwn(scopes, scope)) errors.push(invalid(`${field}.scopeName`, scope, "unsupported scope"));
    for (const _ of unsupportedNames(spec, scope))
      errors.push(invalid(field, selector, "unsupported scope applied to resource"));
    if (scopesWithoutValues.includes(scope) && operator !== "Exists")
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
  for (const [one, other] of conflictingScopes)
    if (named.includes(one) && named.includes(other))
      errors.push(invalid(field, spec.scopes ?? null, "conflicting scopes"));
}
