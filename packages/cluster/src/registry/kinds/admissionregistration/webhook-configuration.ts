import { duplicate, invalid, notSupported, required } from "@kubewright/core/schema";
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ServiceReference,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from "kubewright/k8s/admissionregistration/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { dns1035Label, type NameRule, subdomainName } from "../../name-rules.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import {
  checkLabelSelector,
  checkName,
  checkOptionalEnum,
  checkPortNumber,
  checkRequiredName,
  type Errors,
  entriesAt,
} from "../../validation/index.js";
import { checkConditions, checkRequestRule, defaultMatch } from "./admission-rules.js";

const reviewVersions = ["v1", "v1beta1"];
const allowedSideEffects: readonly string[] = ["None", "NoneOnDryRun"];
const urlFormat = "; desired format: https://host[/path]";

/** A domain of at least three labels. */
const qualifiedDomain: NameRule = (value) => {
  const problems = subdomainName(value);
  if (problems.length > 0) return problems;
  return value.split(".").length < 3 ? ["should be a domain with at least three segments separated by dots"] : [];
};

/** The common strategy of webhook configurations. */
const shared = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  isNewGeneration: differsOutsideStatus,
  applyDefaults(draft) {
    for (const hook of draft.webhooks ?? []) applyHookDefaults(hook);
  },
  validate(object) {
    const errors: Errors = [];
    const names = new Set<string>();
    for (const [hook, at] of entriesAt(object, "webhooks")) {
      const { name = "" } = hook;
      checkHook(hook, at, errors);
      checkReviewVersions(hook.admissionReviewVersions ?? [], `${at}.admissionReviewVersions`, errors);
      if (name !== "" && names.has(name)) errors.push(duplicate(`${at}.name`, name));
      names.add(name);
    }
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      { name: "Webhooks", type: "integer", cell: (object) => object.webhooks?.length ?? 0 },
      ageColumn,
    ],
  },
} satisfies Strategy<ValidatingWebhookConfiguration | MutatingWebhookConfiguration>;

/** ValidatingWebhookConfiguration. */
export const validatingWebhooksStrategy: Strategy<ValidatingWebhookConfiguration> = shared;

/** MutatingWebhookConfiguration. */
export const mutatingWebhooksStrategy: Strategy<MutatingWebhookConfiguration> = {
  ...shared,
  applyDefaults(draft) {
    shared.applyDefaults(draft);
    for (const hook of draft.webhooks ?? []) hook.reinvocationPolicy ??= "Never";
  },
};

function applyHookDefaults(hook: Drafted<ValidatingWebhook>): void {
  hook.failurePolicy ??= "Fail";
  defaultMatch(hook);
  hook.timeoutSeconds ??= 10;
  const service = hook.clientConfig?.service;
  if (service) service.port ??= 443;
}

/** Validates a webhook. Only mutating webhooks have a reinvocationPolicy. */
function checkHook(hook: Decoded<MutatingWebhook>, at: string, errors: Errors): void {
  checkRequiredName(hook.name ?? "", qualifiedDomain, `${at}.name`, errors);
  for (const [rule, place] of entriesAt(hook, "rules", at)) checkRequestRule(rule, place, errors);
  checkOptionalEnum(hook.failurePolicy, ["Fail", "Ignore"], `${at}.failurePolicy`, errors);
  checkOptionalEnum(hook.matchPolicy, ["Equivalent", "Exact"], `${at}.matchPolicy`, errors);
  const effects = hook.sideEffects;
  if (typeof effects !== "string")
    errors.push(required(`${at}.sideEffects`, `must specify one of ${allowedSideEffects.join(", ")}`));
  else if (!allowedSideEffects.includes(effects))
    errors.push(notSupported(`${at}.sideEffects`, effects, allowedSideEffects));
  const seconds = hook.timeoutSeconds;
  if (seconds !== undefined && (seconds < 1 || seconds > 30))
    errors.push(invalid(`${at}.timeoutSeconds`, seconds, "the timeout value must be between 1 and 30 seconds"));
  checkLabelSelector(hook.namespaceSelector, `${at}.namespaceSelector`, errors);
  checkLabelSelector(hook.objectSelector, `${at}.objectSelector`, errors);
  checkOptionalEnum(hook.reinvocationPolicy, ["IfNeeded", "Never"], `${at}.reinvocationPolicy`, errors);
  checkClient(hook.clientConfig ?? {}, `${at}.clientConfig`, errors);
  checkConditions(hook, at, errors, {});
}

function checkReviewVersions(versions: readonly string[], field: string, errors: Errors): void {
  const listed = reviewVersions.join(", ");
  if (versions.length === 0) return void errors.push(required(field, `must specify one of ${listed}`));
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) errors.push(invalid(`${field}[${index}]`, version, "duplicate version"));
    else checkName(version, dns1035Label, `${field}[${index}]`, errors);
  }
  if (!versions.some((version) => reviewVersions.includes(version)))
    errors.push(invalid(field, versions, `must include at least one of ${listed}`));
}

function checkClient({ url, service }: Decoded<WebhookClientConfig>, field: string, errors: Errors): void {
  if ((url === undefined) === (service === undefined))
    errors.push(required(field, "exactly one of url or service is required"));
  else if (url !== undefined) checkUrl(url, `${field}.url`, errors);
  else if (service) checkServiceReference(service, `${field}.service`, errors);
}

function checkUrl(text: string, field: string, errors: Errors): void {
  const found = /^([a-zA-Z][a-zA-Z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text);
  const [, scheme = "", authority = "", , query = "", fragment = ""] = found ?? [];
  const user = authority.includes("@") ? authority.slice(0, authority.lastIndexOf("@")) : "";
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (scheme !== "https") errors.push(invalid(field, scheme, `'https' is the only allowed URL scheme${urlFormat}`));
  if (host === "") errors.push(invalid(field, host, `host must be specified${urlFormat}`));
  if (user !== "") errors.push(invalid(field, user, "user information is not permitted in the URL"));
  if (fragment !== "") errors.push(invalid(field, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(invalid(field, query, "query parameters are not permitted in the URL"));
}

function checkServiceReference(service: Decoded<ServiceReference>, field: string, errors: Errors): void {
  // kube-apiserver swaps the two field names.
  if (!service.namespace) errors.push(required(`${field}.name`));
  if (!service.name) errors.push(required(`${field}.namespace`));
  const { port = 0, path = "" } = service;
  const problems: Errors = [];
  checkPortNumber(port, `${field}.port`, problems);
  for (const { detail } of problems) errors.push(invalid(`${field}.port`, port, `port is not valid: ${detail}`));
  if (path === "" || path === "/") return;
  if (path === "//") return void errors.push(invalid(`${field}.path`, path, "segment[0] may not be empty"));
  if (!path.startsWith("/")) errors.push(invalid(`${field}.path`, path, "must start with a '/'"));
  // kube-apiserver drops the first byte, even if it is not a slash.
  const steps = Buffer.from(path).subarray(1).toString().replace(/\/$/, "").split("/");
  for (const [index, step] of steps.entries()) {
    if (step === "") errors.push(invalid(`${field}.path`, path, `segment[${index}] may not be empty`));
    else
      for (const detail of subdomainName(step))
        errors.push(invalid(`${field}.path`, path, `segment[${index}]: ${detail}`));
  }
}
