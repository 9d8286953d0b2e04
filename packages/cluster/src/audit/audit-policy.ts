import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonValue } from "@kubewright/core/json";
import type { AccessAttributes, User } from "../access/index.js";
import type { AuditLevel, AuditStage } from "./audit-event.js";

/** Selects requests, and sets what is recorded of them. An absent list selects everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly {
    readonly group?: string;
    /** Plurals, with a subresource or a wildcard: `pods`, `pods/log`, all subresources of `pods`, one subresource of all resources, or `*`. */
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  /** The empty string stands for the cluster scope. */
  readonly namespaces?: readonly string[];
  /** `/metrics`, `/healthz*` or `*`. */
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** An audit policy, as a file for `--audit-policy-file` contains it. The first rule that selects a request applies. */
export interface AuditPolicy {
  readonly apiVersion: "audit.k8s.io/v1";
  readonly kind: "Policy";
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** What is recorded of a request. */
export interface AuditSettings {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

const levels: readonly unknown[] = ["None", "Metadata", "Request", "RequestResponse"];
const stages: readonly unknown[] = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];

/** Validates an audit policy. Throws CONFIG_INVALID with the field that is wrong. */
export function checkAuditPolicy(value: JsonValue): AuditPolicy {
  const fail = (why: string): never => {
    throw new OperatorError("CONFIG_INVALID", `Cannot use the audit policy: ${why}`);
  };
  if (!isJsonObject(value)) return fail("it is no object");
  const { kind, apiVersion, rules, omitStages } = value;
  if (kind !== "Policy" || apiVersion !== "audit.k8s.io/v1")
    fail(`it is a ${String(kind)} of ${String(apiVersion)}, not a Policy of audit.k8s.io/v1`);
  const checkStages = (given: JsonValue | undefined, field: string): void => {
    if (given !== undefined && !(Array.isArray(given) && given.every((stage) => stages.includes(stage))))
      fail(`${field} must be a list of ${stages.join(", ")}`);
  };
  checkStages(omitStages, "omitStages");
  if (!Array.isArray(rules) || rules.length === 0) return fail("rules must be a list of at least one rule");
  for (const [index, rule] of rules.entries()) {
    const field = `rules[${index}]`;
    if (!isJsonObject(rule)) return fail(`${field} must be an object`);
    if (!levels.includes(rule["level"])) fail(`${field}.level must be one of ${levels.join(", ")}`);
    checkStages(rule["omitStages"], `${field}.omitStages`);
    for (const list of ["users", "userGroups", "verbs", "namespaces", "nonResourceURLs"])
      if (rule[list] !== undefined && !isTexts(rule[list])) fail(`${field}.${list} must be a list of strings`);
    checkResources(rule["resources"], `${field}.resources`, fail);
    if (rule["nonResourceURLs"] !== undefined && (rule["resources"] ?? rule["namespaces"]) !== undefined)
      fail(`${field} cannot select both resources and nonResourceURLs`);
  }
  return value as unknown as AuditPolicy;
}

function checkResources(given: JsonValue | undefined, field: string, fail: (why: string) => never): void {
  if (given === undefined) return;
  if (!Array.isArray(given)) fail(`${field} must be a list`);
  for (const one of given as readonly JsonValue[]) {
    const isValid =
      isJsonObject(one) &&
      typeof (one["group"] ?? "") === "string" &&
      [one["resources"], one["resourceNames"]].every((list) => list === undefined || isTexts(list));
    if (!isValid) fail(`${field} must hold objects with group, resources and resourceNames`);
    const { resources = [], resourceNames = [] } = one as { resources?: string[]; resourceNames?: string[] };
    if (resourceNames.length > 0 && resources.length === 0) fail(`${field}: resourceNames need resources`);
  }
}

function isTexts(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

const none: AuditSettings = { level: "None", omitStages: [], omitManagedFields: false };

/** What a policy records of a request. `user` is the authenticated one, before impersonation. */
export function auditSettings(policy: AuditPolicy, user: User, attributes: AccessAttributes): AuditSettings {
  const rule = policy.rules.find((one) => selects(one, user, attributes));
  if (rule === undefined) return none;
  return {
    level: rule.level,
    omitStages: [...(policy.omitStages ?? []), ...(rule.omitStages ?? [])],
    omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

function selects(rule: AuditRule, user: User, attributes: AccessAttributes): boolean {
  const { users = [], userGroups = [], verbs = [], nonResourceURLs = [], namespaces = [], resources = [] } = rule;
  if (users.length > 0 && !users.includes(user.name)) return false;
  if (userGroups.length > 0 && !user.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(attributes.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0)
    return attributes.kind === "resource" && selectsResource(rule, attributes);
  if (nonResourceURLs.length === 0) return true;
  return attributes.kind === "path" && nonResourceURLs.some((pattern) => selectsPath(pattern, attributes.path));
}

function selectsResource(
  { namespaces = [], resources = [] }: AuditRule,
  { group, resource, subresource, namespace, name }: AccessAttributes & { readonly kind: "resource" },
): boolean {
  if (namespaces.length > 0 && !namespaces.includes(namespace)) return false;
  const combined = subresource === "" ? resource : `${resource}/${subresource}`;
  const patterns = ["*", combined, ...(subresource === "" ? [] : [`${resource}/*`, `*/${subresource}`])];
  return (
    resources.length === 0 ||
    resources.some((one) => {
      if ((one.group ?? "") !== group) return false;
      if ((one.resources ?? []).length === 0) return true;
      const isNamed = (one.resourceNames ?? []).length === 0 || one.resourceNames?.includes(name);
      return isNamed && one.resources?.some((pattern) => patterns.includes(pattern));
    })
  );
}

function selectsPath(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1));
}
