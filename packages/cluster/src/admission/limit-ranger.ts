import type { JsonObject } from "@kubewright/core/json";
import type { Quantity } from "@kubewright/core/quantity";
import { containerResources, parseResourceList, type ResourceList } from "../quota/index.js";
import {
  type AdmissionRequest,
  childDraft,
  type Draft,
  draftsIn,
  forbidden,
  listAt,
  metadataOf,
  objectAt,
  quantityOf,
  textAt,
} from "../registry/index.js";
import type { Store } from "../storage/index.js";
import type { AdmissionPlugin } from "./plugin.js";

/** The bucket of LimitRanges. */
const rangesBucket = "limitranges";
const annotation = "kubernetes.io/limit-ranger";
/** Quantities up to this many units are compared in milli-units. */
const mostUnitsInMilli = (2n ** 63n - 1n) / 1_000n;

/** LimitRanger: applies the LimitRanges of a namespace to pods (defaults and limits) and PersistentVolumeClaims (limits). */
export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  resources: ["pods", "persistentvolumeclaims"],
  mutate(request, { store }) {
    if (request.resource.kind === "Pod" && isLimited(request)) setDefaults(request.object, request.old, store);
  },
  validate(request, { store }) {
    if (isLimited(request)) checkLimits(request, store);
  },
};

/** Applies to new objects, pod resizes and PVC updates. Other pod updates cannot change resources. */
function isLimited({ operation, subresource, resource }: AdmissionRequest): boolean {
  if (operation === "DELETE" || operation === "CONNECT") return false;
  if (operation === "UPDATE" && resource.kind === "Pod") return subresource === "resize";
  return subresource === "";
}

/** Sets the default requests and limits of a pod's containers, and lists them in an annotation. */
function setDefaults(pod: Draft, old: JsonObject | undefined, store: Store): void {
  for (const range of rangesFor(pod, old, store)) {
    const notes: string[] = [];
    for (const [list, what] of [
      ["containers", "container"],
      ["initContainers", "init container"],
    ] as const)
      for (const container of draftsIn(childDraft(pod, "spec")[list])) {
        const name = textAt(container, "name");
        const limits = fillIn(container, "limits", defaultsOf(range, "default"));
        const requests = fillIn(container, "requests", defaultsOf(range, "defaultRequest"));
        if (requests.length > 0) notes.push(`${requests.join(", ")} request for ${what} ${name}`);
        if (limits.length > 0) notes.push(`${limits.join(", ")} limit for ${what} ${name}`);
      }
    // A resize does not change the metadata.
    if (notes.length > 0 && old === undefined)
      childDraft(childDraft(pod, "metadata"), "annotations")[annotation] =
        `LimitRanger plugin set: ${notes.join("; ")}`;
  }
}

function checkLimits({ resource, name, object, old }: AdmissionRequest, store: Store): void {
  for (const range of rangesFor(object, old, store)) {
    const errors = new Set(resource.kind === "Pod" ? podErrors(range, object) : claimErrors(range, object));
    if (errors.size === 0) continue;
    const text = [...errors].join(", ");
    throw forbidden(resource, name, errors.size === 1 ? text : `[${text}]`);
  }
}

/** The LimitRanges of the object's namespace; none for an object that is being deleted. */
function rangesFor(object: JsonObject, old: JsonObject | undefined, store: Store): JsonObject[] {
  const ranges = store.bucket(rangesBucket);
  if (ranges.size === 0 || (old && metadataOf(old)["deletionTimestamp"] !== undefined)) return [];
  return ranges.list(`${textAt(metadataOf(object), "namespace")}/`).map((record) => record.object);
}

function itemsOf(range: JsonObject, type: string): JsonObject[] {
  const limits = listAt(objectAt(range, "spec"), "limits") as readonly JsonObject[];
  return limits.filter((item) => item["type"] === type);
}

function defaultsOf(range: JsonObject, part: "default" | "defaultRequest"): JsonObject {
  return Object.assign({}, ...itemsOf(range, "Container").map((item) => objectAt(item, part)));
}

/** Adds the missing defaults and returns their names, sorted. */
function fillIn(container: Draft, part: "limits" | "requests", defaults: JsonObject): string[] {
  const resources = objectAt(container, "resources") as Draft;
  const given = objectAt(resources, part) as Draft;
  const missing = Object.keys(defaults)
    .filter((name) => !Object.hasOwn(given, name))
    .sort();
  if (missing.length === 0) return missing;
  const added = Object.fromEntries(missing.map((name) => [name, String(defaults[name])]));
  container["resources"] = { ...resources, [part]: { ...given, ...added } };
  return missing;
}

interface Asked {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

function podErrors(range: JsonObject, pod: JsonObject): string[] {
  const spec = objectAt(pod, "spec");
  const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")] as readonly JsonObject[];
  const asked = containers.map((container) => askedBy(objectAt(container, "resources")));
  const errors: string[] = [];
  for (const item of listAt(objectAt(range, "spec"), "limits") as readonly JsonObject[]) {
    if (item["type"] === "Container") for (const one of asked) errors.push(...breaches(item, one));
    if (item["type"] === "Pod") errors.push(...breaches(item, askedTogether(spec)));
  }
  return errors;
}

function claimErrors(range: JsonObject, claim: JsonObject): string[] {
  const { requests } = askedBy(objectAt(objectAt(claim, "spec"), "resources"));
  return itemsOf(range, "PersistentVolumeClaim")
    .flatMap((item) => [
      ...constraints(item, "min").map(([name, least]) => belowMin(name, item, least, { requests, limits: new Map() })),
      ...constraints(item, "max").map(([name, most]) => {
        const request = requests.get(name);
        const usage = `maximum ${name} usage per ${item["type"]} is ${most}`;
        if (request === undefined) return `${usage}.  No request is specified`;
        return isMore(request, most) ? `${usage}, but request is ${request}` : undefined;
      }),
    ])
    .filter((error) => error !== undefined);
}

function askedBy(resources: JsonObject): Asked {
  return {
    requests: parseResourceList(objectAt(resources, "requests")),
    limits: parseResourceList(objectAt(resources, "limits")),
  };
}

/** The requests and limits of a pod: pod-level cpu and memory override the sum over its containers. */
function askedTogether(spec: JsonObject): Asked {
  const whole = askedBy(objectAt(spec, "resources"));
  const together = (part: "requests" | "limits"): ResourceList => {
    const sum = containerResources(spec, part);
    for (const name of ["cpu", "memory"]) {
      const own = whole[part].get(name);
      if (own !== undefined) sum.set(name, own);
    }
    return sum;
  };
  return { requests: together("requests"), limits: together("limits") };
}

function breaches(item: JsonObject, asked: Asked): string[] {
  return [
    ...constraints(item, "min").map(([name, least]) => belowMin(name, item, least, asked)),
    ...constraints(item, "max").map(([name, most]) => aboveMax(name, item, most, asked)),
    ...constraints(item, "maxLimitRequestRatio").map(([name, most]) => aboveRatio(name, item, most, asked)),
  ].filter((error) => error !== undefined);
}

function constraints(item: JsonObject, part: string): [string, Quantity][] {
  return [...parseResourceList(objectAt(item, part))];
}

function belowMin(
  name: string,
  { type }: JsonObject,
  least: Quantity,
  { requests, limits }: Asked,
): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const usage = `minimum ${name} usage per ${type} is ${least}`;
  if (request === undefined) return `${usage}.  No request is specified`;
  if (isMore(least, request, limit)) return `${usage}, but request is ${request}`;
  return limit !== undefined && isMore(least, limit, request) ? `${usage}, but limit is ${limit}` : undefined;
}

function aboveMax(name: string, { type }: JsonObject, most: Quantity, { requests, limits }: Asked): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const usage = `maximum ${name} usage per ${type} is ${most}`;
  if (limit === undefined) return `${usage}.  No limit is specified`;
  if (isMore(limit, most, request)) return `${usage}, but limit is ${limit}`;
  return request !== undefined && isMore(request, most, limit) ? `${usage}, but request is ${request}` : undefined;
}

function aboveRatio(
  name: string,
  { type }: JsonObject,
  most: Quantity,
  { requests, limits }: Asked,
): string | undefined {
  const usage = `${name} max limit to request ratio per ${type} is ${most}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (request === undefined || request.sign === 0) return `${usage}, but no request is specified or request is 0`;
  if (limit === undefined || limit.sign === 0) return `${usage}, but no limit is specified or limit is 0`;
  const inMilli = fitsMilli(request) && fitsMilli(limit) && fitsMilli(most);
  const ratio = Number(amountOf(limit, inMilli)) / Number(amountOf(request, inMilli));
  const isMoreThanAllowed = fitsMilli(most)
    ? ratio * 1_000 > Number(most.toMilliUnits())
    : ratio > Number(most.toUnits());
  return isMoreThanAllowed ? `${usage}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** Compares in milli-units, unless one of the quantities is too large for that. */
function isMore(amount: Quantity, than: Quantity, beside: Quantity = quantityOf(0)): boolean {
  const inMilli = fitsMilli(amount) && fitsMilli(than) && fitsMilli(beside);
  return amountOf(amount, inMilli) > amountOf(than, inMilli);
}

function fitsMilli(amount: Quantity): boolean {
  return amount.toUnits() <= mostUnitsInMilli;
}

function amountOf(amount: Quantity, inMilli: boolean): bigint {
  return inMilli ? amount.toMilliUnits() : amount.toUnits();
}
