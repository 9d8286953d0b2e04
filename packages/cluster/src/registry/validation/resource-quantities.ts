import { Quantity } from "@kubewright/core/quantity";
import { duplicate, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type { ResourceRequirements } from "kubewright/k8s/core/v1";
import type { Decoded } from "../decoded.js";
import { labelName, qualifiedName } from "../name-rules.js";
import { checkName, type Errors, entriesAt, notNegative } from "./field-checks.js";

const containerResources = ["cpu", "memory", "ephemeral-storage"];
const standard: ReadonlySet<string> = new Set([
  ...containerResources,
  ...containerResources.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.storage",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Integer resources (`IsIntegerResourceName`). */
const integerResources: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Whether a resource is huge pages. */
export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && qualifiedName(`requests.${name}`).length === 0;
}

/** Whether a resource allows overcommit. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** A quantity of a decoded object; zero for an invalid one. */
export function quantityOf(value: unknown): Quantity {
  try {
    return Quantity.parse(String(value));
  } catch {
    return Quantity.of(0);
  }
}

/** Validates a resource name. */
export function checkAnyName(name: string, field: string, errors: Errors): void {
  const problems = qualifiedName(name);
  for (const detail of problems) errors.push(invalid(field, name, detail));
  if (problems.length === 0 && !name.includes("/") && !standard.has(name) && !isHugePages(name))
    errors.push(invalid(field, name, "must be a standard resource type or fully qualified"));
}

/** Validates the resource name of a container. */
export function checkContainerName(name: string, field: string, errors: Errors): void {
  checkAnyName(name, field, errors);
  if (!name.includes("/")) {
    if (!containerResources.includes(name) && !isHugePages(name))
      errors.push(invalid(field, name, "must be a standard resource for containers"));
  } else if (!isNative(name) && !isExtended(name))
    errors.push(invalid(field, name, "doesn't follow extended resource name standard"));
}

const podLevelResources = ["cpu", "memory", "hugepages-"];

/** Validates the resource name of pod-level resources. */
export function checkPodResourceName(name: string, field: string, errors: Errors): void {
  const before = errors.length;
  checkAnyName(name, field, errors);
  const isKnown = name === "cpu" || name === "memory" || isHugePages(name);
  if (errors.length === before && !isKnown) errors.push(notSupported(field, name, [...podLevelResources].sort()));
}

/** Whether a name is a standard quota resource. */
export function isQuotaName(name: string): boolean {
  return (standard.has(name) && name !== "storage") || isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** Validates the resource name of a ResourceQuota. */
export function checkQuotaName(name: string, field: string, errors: Errors): void {
  checkAnyName(name, field, errors);
  if (!name.includes("/") && !isQuotaName(name))
    errors.push(invalid(field, name, "must be a standard resource for quota"));
}

/** Validates a quantity: not negative, and whole for an integer resource. */
export function checkQuantity(name: string, value: unknown, field: string, errors: Errors): void {
  const quantity = quantityOf(value);
  if (quantity.sign < 0) errors.push(invalid(field, quantity.toString(), notNegative));
  if ((integerResources.has(name) || isExtended(name)) && quantity.toMilliUnits() % 1000n !== 0n)
    errors.push(invalid(field, quantity.toString(), "must be an integer"));
}

/** Validates that huge pages are a multiple of the page size. */
function checkHugePages(name: string, quantity: Quantity, field: string, errors: Errors): void {
  if (!isHugePages(name)) return;
  const size = pageSize(name.slice("hugepages-".length));
  if (size === 0n || quantity.toUnits() % size !== 0n)
    errors.push(
      invalid(field, quantity.toString(), `${quantity.toString()} is not positive integer multiple of ${name}`),
    );
}

/** The page size; zero for an invalid one. */
function pageSize(text: string): bigint {
  const size = quantityOf(text);
  return size.sign <= 0 || size.toMilliUnits() % 1000n !== 0n ? 0n : size.toUnits();
}

/** Validates the limits and requests of a container or pod. */
export function checkResources(
  resources: Decoded<ResourceRequirements>,
  field: string,
  {
    claims,
    errors,
    checkResourceName = checkContainerName,
  }: {
    /** The names of the pod's resourceClaims. */
    readonly claims: ReadonlySet<string>;
    readonly errors: Errors;
    /** Validates resource names. @default checkContainerName */
    readonly checkResourceName?: (name: string, field: string, errors: Errors) => void;
  },
): void {
  const { limits = {}, requests = {} } = resources;
  const names = new Set([...Object.keys(limits), ...Object.keys(requests)]);
  for (const [name, value] of Object.entries(limits)) {
    checkResourceName(name, `${field}.limits[${name}]`, errors);
    checkQuantity(name, value, `${field}.limits[${name}]`, errors);
    checkHugePages(name, quantityOf(value), `${field}.limits[${name}]`, errors);
  }
  for (const [name, value] of Object.entries(requests)) {
    const quantity = quantityOf(value);
    checkResourceName(name, `${field}.requests[${name}]`, errors);
    checkQuantity(name, value, `${field}.requests[${name}]`, errors);
    const given = Object.hasOwn(limits, name) ? quantityOf(limits[name]) : undefined;
    if (given === undefined) {
      if (!isOvercommitAllowed(name))
        errors.push(required(`${field}.limits`, "Limit must be set for non overcommitable resources"));
    } else if (!isOvercommitAllowed(name) && !quantity.equals(given))
      errors.push(
        invalid(`${field}.requests`, quantity.toString(), `must be equal to ${name} limit of ${given.toString()}`),
      );
    else if (quantity.compare(given) > 0)
      errors.push(
        invalid(
          `${field}.requests`,
          quantity.toString(),
          `must be less than or equal to ${name} limit of ${given.toString()}`,
        ),
      );
    checkHugePages(name, quantity, `${field}.requests[${name}]`, errors);
  }
  if ([...names].some(isHugePages) && !names.has("cpu") && !names.has("memory"))
    errors.push(forbidden(field, "HugePages require cpu or memory"));
  checkClaimReferences(resources, field, claims, errors);
}

function checkClaimReferences(
  resources: Decoded<ResourceRequirements>,
  field: string,
  claims: ReadonlySet<string>,
  errors: Errors,
): void {
  const seen = new Set<string>();
  for (const [claim, at] of entriesAt(resources, "claims", field)) {
    const { name = "", request = "" } = claim;
    if (name === "") {
      errors.push(required(at));
      continue;
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      if (request !== "") checkName(request, labelName, `${at}.request`, errors);
      const key = request === "" ? name : `${name}/${request}`;
      if (seen.has(key)) errors.push(duplicate(at, key));
      else if (request === "")
        for (const other of seen) if (other.startsWith(`${name}/`)) errors.push(duplicate(at, name));
      seen.add(key);
    }
    if (claims.has(name)) continue;
    const known = claims.size === 0 ? " which is empty" : `: ${[...claims].sort().join(", ")}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${known}`;
    errors.push({ type: "NotFound", field: at, badValue: name, detail });
  }
}
