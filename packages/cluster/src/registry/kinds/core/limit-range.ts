import type { JsonObject } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";
import { duplicate, forbidden, invalid, required } from "@kubewright/core/schema";
import { createdColumn, nameColumn } from "../../columns.js";
import { childDraft, type Draft, draftsIn, listAt, objectAt, textAt } from "../../draft.js";
import { qualifiedName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkAnyName,
  checkContainerName,
  checkName,
  type Errors,
  entriesAt,
  isOvercommitAllowed,
  quantityOf,
} from "../../validation/index.js";

const standardTypes = ["Pod", "Container", "PersistentVolumeClaim"];
const parts = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;

/** LimitRange. */
export const limitRangeStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  applyDefaults(draft) {
    for (const item of draftsIn(childDraft(draft, "spec")["limits"]))
      if (item["type"] === "Container") defaultItem(item);
  },
  canonicalize(draft) {
    const spec = childDraft(draft, "spec");
    // The store's encoding turns an empty list into null.
    if (listAt(spec, "limits").length === 0) spec["limits"] = null;
  },
  validate(object) {
    const errors: Errors = [];
    const types = new Set<string>();
    for (const [item, at] of entriesAt(objectAt(object, "spec"), "limits", "spec")) {
      const type = textAt(item, "type");
      const before = errors.length;
      checkName(type, qualifiedName, `${at}.type`, errors);
      if (errors.length === before && !type.includes("/") && !standardTypes.includes(type))
        errors.push(invalid(`${at}.type`, type, "must be a standard limit type or fully qualified"));
      if (types.has(type)) errors.push(duplicate(`${at}.type`, type));
      types.add(type);
      checkItem(item, type, at, errors);
    }
    return errors;
  },
  table: {
    columns: [nameColumn, createdColumn],
  },
};

function defaultItem(item: Draft): void {
  const [limits, requests] = [childDraft(item, "default"), childDraft(item, "defaultRequest")];
  const fill = (into: Draft, from: JsonObject): void => {
    for (const [name, value] of Object.entries(from)) if (into[name] === undefined) into[name] = value as string;
  };
  fill(limits, objectAt(item, "max"));
  fill(requests, limits);
  fill(requests, objectAt(item, "min"));
  for (const key of ["default", "defaultRequest"]) if (Object.keys(objectAt(item, key)).length === 0) delete item[key];
}

function checkItem(item: JsonObject, type: string, at: string, errors: Errors): void {
  const checkOne = type === "Pod" || type === "Container" ? checkContainerName : checkAnyName;
  const names = new Set<string>();
  for (const part of parts) {
    const isOfPod = type === "Pod" && (part === "default" || part === "defaultRequest");
    const amounts = Object.keys(objectAt(item, part));
    if (isOfPod && amounts.length > 0)
      errors.push(forbidden(`${at}.${part}`, "may not be specified when `type` is 'Pod'"));
    if (part === "maxLimitRequestRatio" && type === "PersistentVolumeClaim" && !hasStorage(item))
      errors.push(
        required(`${at}.limits`, "either minimum or maximum storage value is required, but neither was provided"),
      );
    if (isOfPod) continue;
    for (const name of amounts) {
      checkOne(name, `${at}.${part}[${name}]`, errors);
      names.add(name);
    }
  }
  for (const name of names) checkOrder(item, type, name, at, errors);
}

function hasStorage(item: JsonObject): boolean {
  return ["min", "max"].some((part) => objectAt(item, part)["storage"] !== undefined);
}

function checkOrder(item: JsonObject, type: string, name: string, at: string, errors: Errors): void {
  const amountOf = (part: (typeof parts)[number]): Quantity | undefined => {
    if (type === "Pod" && part.startsWith("default")) return undefined;
    const amounts = objectAt(item, part);
    return Object.hasOwn(amounts, name) ? quantityOf(amounts[name]) : undefined;
  };
  const [min, max, limit, request, ratio] = [
    amountOf("min"),
    amountOf("max"),
    amountOf("default"),
    amountOf("defaultRequest"),
    amountOf("maxLimitRequestRatio"),
  ];
  const report = (part: string, value: Quantity, detail: string): void =>
    void errors.push(invalid(`${at}.${part}[${name}]`, value.toString(), detail));
  const isAbove = (a: Quantity | undefined, b: Quantity | undefined): a is Quantity =>
    a !== undefined && b !== undefined && a.compare(b) > 0;
  if (isAbove(min, max)) report("min", min, `min value ${min} is greater than max value ${max}`);
  if (isAbove(min, request) && request)
    report("defaultRequest", request, `min value ${min} is greater than default request value ${request}`);
  if (isAbove(request, max))
    report("defaultRequest", request, `default request value ${request} is greater than max value ${max}`);
  if (isAbove(request, limit))
    report("defaultRequest", request, `default request value ${request} is greater than default limit value ${limit}`);
  if (isAbove(min, limit)) report("default", min, `min value ${min} is greater than default value ${limit}`);
  if (isAbove(limit, max) && max) report("default", max, `default value ${limit} is greater than max value ${max}`);
  if (ratio) checkRatio(ratio, min, max, (detail) => report("maxLimitRequestRatio", ratio, detail));
  if (!isOvercommitAllowed(name) && limit && request && limit.compare(request) !== 0)
    report(
      "defaultRequest",
      request,
      `default value ${limit} must equal to defaultRequest value ${request} in ${name}`,
    );
}

function checkRatio(
  ratio: Quantity,
  min: Quantity | undefined,
  max: Quantity | undefined,
  report: (detail: string) => void,
): void {
  if (ratio.compare(Quantity.of(1)) < 0) report(`ratio ${ratio} is less than 1`);
  if (!min || !max) return;
  const highest = max.toNumber() / min.toNumber();
  if (ratio.toNumber() > highest) report(`ratio ${ratio} is greater than max/min = ${highest.toFixed(6)}`);
}
