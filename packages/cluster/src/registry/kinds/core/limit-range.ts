import { Quantity } from "@kubewright/core/quantity";
import { duplicate, forbidden, invalid, required } from "@kubewright/core/schema";
import type { LimitRange, LimitRangeItem } from "kubewright/k8s/core/v1";
import { createdColumn, nameColumn } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { childDraft, type Draft } from "../../draft.js";
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
export const limitRangeStrategy: Strategy<LimitRange> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  applyDefaults(draft) {
    for (const item of childDraft(draft, "spec").limits ?? []) if (item.type === "Container") defaultItem(item);
  },
  canonicalize(draft) {
    // kube-apiserver stores an empty list as null, which the type does not allow.
    const spec: Draft = childDraft(draft, "spec");
    if (!draft.spec?.limits?.length) spec["limits"] = null;
  },
  validate(object) {
    const errors: Errors = [];
    const types = new Set<string>();
    for (const [item, at] of entriesAt(object.spec ?? {}, "limits", "spec")) {
      const { type = "" } = item;
      const before = errors.length;
      checkName(type, qualifiedName, `${at}.type`, errors);
      if (errors.length === before && !type.includes("/") && !standardTypes.includes(type))
        errors.push(invalid(`${at}.type`, type, "must be a standard limit type or fully qualified"));
      if (types.has(type)) errors.push(duplicate(`${at}.type`, type));
      types.add(type);
      checkItem(item, at, errors);
    }
    return errors;
  },
  table: {
    columns: [nameColumn, createdColumn],
  },
};

function defaultItem(item: Drafted<LimitRangeItem>): void {
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}

function checkItem(item: Decoded<LimitRangeItem>, at: string, errors: Errors): void {
  const { type } = item;
  const checkResourceName = type === "Pod" || type === "Container" ? checkContainerName : checkAnyName;
  const names = new Set<string>();
  for (const part of parts) {
    const isPodDefault = type === "Pod" && (part === "default" || part === "defaultRequest");
    const own = Object.keys(item[part] ?? {});
    if (isPodDefault && own.length > 0)
      errors.push(forbidden(`${at}.${part}`, "may not be specified when `type` is 'Pod'"));
    if (part === "maxLimitRequestRatio" && type === "PersistentVolumeClaim" && !hasStorage(item))
      errors.push(
        required(`${at}.limits`, "either minimum or maximum storage value is required, but neither was provided"),
      );
    if (isPodDefault) continue;
    for (const name of own) {
      checkResourceName(name, `${at}.${part}[${name}]`, errors);
      names.add(name);
    }
  }
  for (const name of names) checkOrder(item, name, at, errors);
}

function hasStorage({ min, max }: Decoded<LimitRangeItem>): boolean {
  return min?.["storage"] !== undefined || max?.["storage"] !== undefined;
}

function checkOrder(item: Decoded<LimitRangeItem>, name: string, at: string, errors: Errors): void {
  const quantityAt = (part: (typeof parts)[number]): Quantity | undefined => {
    if (item.type === "Pod" && part.startsWith("default")) return undefined;
    const list = item[part] ?? {};
    return Object.hasOwn(list, name) ? quantityOf(list[name]) : undefined;
  };
  const [min, max, limit, request, ratio] = [
    quantityAt("min"),
    quantityAt("max"),
    quantityAt("default"),
    quantityAt("defaultRequest"),
    quantityAt("maxLimitRequestRatio"),
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
