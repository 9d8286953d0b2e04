import type { JsonObject } from "@kubewright/core/json";
import { duplicate, invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import {
  draftsIn,
  isDraft,
  listAt,
  numberAt,
  optionalNumber,
  partAt,
  setMissing,
  textAt,
  textsAt,
} from "../../draft.js";
import { dns1035Label, type NameRule, subdomainName } from "../../name-rules.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import {
  checkLabelSelector,
  checkName,
  checkOptionalEnum,
  checkPortNumber,
  type Errors,
  entriesAt,
} from "../../validation/index.js";
import { checkConditions, checkRequestRule, defaultMatch } from "./admission-rules.js";

const reviewVersions = ["v1", "v1beta1"];
const withoutEffects = ["None", "NoneOnDryRun"];
const urlForm = "; desired format: https://host[/path]";

/** A domain of at least three labels. */
const qualifiedDomain: NameRule = (value) => {
  const problems = subdomainName(value);
  if (problems.length > 0) return problems;
  return value.split(".").length < 3 ? ["should be a domain with at least three segments separated by dots"] : [];
};

/** The common strategy of webhook configurations. */
function webhooksStrategy(isMutating: boolean): Strategy {
  return {
    nameRule: subdomainName,
    allowUnconditionalUpdate: false,
    isNewGeneration: differsOutsideStatus,
    applyDefaults(draft) {
      for (const hook of draftsIn(draft["webhooks"])) {
        setMissing(hook, "failurePolicy", "Fail");
        defaultMatch(hook);
        setMissing(hook, "timeoutSeconds", 10);
        if (isMutating) setMissing(hook, "reinvocationPolicy", "Never");
        const client = hook["clientConfig"];
        const service = isDraft(client) ? client["service"] : undefined;
        if (isDraft(service)) setMissing(service, "port", 443);
      }
    },
    validate(object) {
      const errors: Errors = [];
      const names = new Set<string>();
      for (const [hook, place] of entriesAt(object, "webhooks", "")) {
        const at = place.slice(1);
        checkHook(hook, at, errors);
        checkReviewVersions(textsAt(hook, "admissionReviewVersions"), `${at}.admissionReviewVersions`, errors);
        const name = textAt(hook, "name");
        if (name !== "" && names.has(name)) errors.push(duplicate(`${at}.name`, name));
        names.add(name);
      }
      return errors;
    },
    table: {
      columns: [
        nameColumn,
        { name: "Webhooks", type: "integer", cell: (object) => listAt(object, "webhooks").length },
        ageColumn,
      ],
    },
  };
}

/** ValidatingWebhookConfiguration. */
export const validatingWebhooksStrategy: Strategy = webhooksStrategy(false);

/** MutatingWebhookConfiguration. */
export const mutatingWebhooksStrategy: Strategy = webhooksStrategy(true);

function checkHook(hook: JsonObject, at: string, errors: Errors): void {
  const name = textAt(hook, "name");
  if (name === "") errors.push(required(`${at}.name`));
  else checkName(name, qualifiedDomain, `${at}.name`, errors);
  for (const [rule, place] of entriesAt(hook, "rules", at)) checkRequestRule(rule, place, errors);
  checkOptionalEnum(hook["failurePolicy"], ["Fail", "Ignore"], `${at}.failurePolicy`, errors);
  checkOptionalEnum(hook["matchPolicy"], ["Equivalent", "Exact"], `${at}.matchPolicy`, errors);
  const effects = hook["sideEffects"];
  if (typeof effects !== "string")
    errors.push(required(`${at}.sideEffects`, `must specify one of ${withoutEffects.join(", ")}`));
  else if (!withoutEffects.includes(effects)) errors.push(notSupported(`${at}.sideEffects`, effects, withoutEffects));
  const seconds = optionalNumber(hook, "timeoutSeconds");
  if (seconds !== undefined && (seconds < 1 || seconds > 30))
    errors.push(invalid(`${at}.timeoutSeconds`, seconds, "the timeout value must be between 1 and 30 seconds"));
  for (const key of ["namespaceSelector", "objectSelector"]) checkLabelSelector(hook[key], `${at}.${key}`, errors);
  checkOptionalEnum(hook["reinvocationPolicy"], ["IfNeeded", "Never"], `${at}.reinvocationPolicy`, errors);
  checkClient(partAt(hook, "clientConfig") ?? {}, `${at}.clientConfig`, errors);
  checkConditions(hook, at, errors);
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

function checkClient(client: JsonObject, field: string, errors: Errors): void {
  const { url } = client;
  const service = partAt(client, "service");
  if ((typeof url === "string") === (service !== undefined))
    errors.push(required(field, "exactly one of url or service is required"));
  else if (typeof url === "string") checkUrl(url, `${field}.url`, errors);
  else if (service) checkServiceReference(service, `${field}.service`, errors);
}

function checkUrl(text: string, field: string, errors: Errors): void {
  const found = /^([a-zA-Z][a-zA-Z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text);
  const [, scheme = "", authority = "", , query = "", fragment = ""] = found ?? [];
  const user = authority.includes("@") ? authority.slice(0, authority.lastIndexOf("@")) : "";
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (scheme !== "https") errors.push(invalid(field, scheme, `'https' is the only allowed URL scheme${urlForm}`));
  if (host === "") errors.push(invalid(field, host, `host must be specified${urlForm}`));
  if (user !== "") errors.push(invalid(field, user, "user information is not permitted in the URL"));
  if (fragment !== "") errors.push(invalid(field, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(invalid(field, query, "query parameters are not permitted in the URL"));
}

function checkServiceReference(service: JsonObject, field: string, errors: Errors): void {
  // kube-apiserver confuses the two names.
  for (const key of ["namespace", "name"])
    if (textAt(service, key) === "") errors.push(required(`${field}.${key === "name" ? "namespace" : "name"}`));
  const port = numberAt(service, "port");
  const problems: Errors = [];
  checkPortNumber(port, `${field}.port`, problems);
  for (const { detail } of problems) errors.push(invalid(`${field}.port`, port, `port is not valid: ${detail}`));
  const path = textAt(service, "path");
  if (path === "" || path === "/") return;
  if (path === "//") return void errors.push(invalid(`${field}.path`, path, "segment[0] may not be empty"));
  if (!path.startsWith("/")) errors.push(invalid(`${field}.path`, path, "must start with a '/'"));
  // kube-apiserver drops the first byte, also if it is no slash.
  const steps = Buffer.from(path).subarray(1).toString().replace(/\/$/, "").split("/");
  for (const [index, step] of steps.entries()) {
    if (step === "") errors.push(invalid(`${field}.path`, path, `segment[${index}] may not be empty`));
    else
      for (const detail of subdomainName(step))
        errors.push(invalid(`${field}.path`, path, `segment[${index}]: ${detail}`));
  }
}
