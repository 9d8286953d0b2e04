import type { JsonObject } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";
import { forbidden, invalid, required } from "@kubewright/core/schema";
import { listAt, objectAt, textAt } from "../draft.js";
import { qualifiedName } from "../name-rules.js";
import { type Errors, entriesAt, notNegative } from "./field-checks.js";

const ofContainers = ["cpu", "memory", "ephemeral-storage"];
const standard: ReadonlySet<string> = new Set([
  ...ofContainers,
  ...ofContainers.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
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

/** What comes whole. */
const counted: ReadonlySet<string> = new Set([
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

function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && qualifiedName(`requests.${name}`).length === 0;
}

/** Whether more of a resource may be promised than there is. */
function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** A quantity of a decoded object; zero for what is none. */
export function quantityOf(value: unknown): Quantity {
  try {
    return Quantity.parse(String(value));
  } catch {
    return Quantity.of(0);
  }
}

/** What is wrong with the name of a resource of any kind. */
export function checkAnyName(name: string, field: string, errors: Errors): void {
  const problems = qualifiedName(name);
  for (const detail of problems) errors.push(invalid(field, name, detail));
  if (problems.length === 0 && !name.includes("/") && !standard.has(name) && !isHugePages(name))
    errors.push(invalid(field, name, "must be a standard resource type or fully qualified"));
}

/** What is wrong with the name of a resource that containers use. */
export function checkContainerName(name: string, field: string, errors: Errors): void {
  checkAnyName(name, field, errors);
  if (!name.includes("/")) {
    if (!ofContainers.includes(name) && !isHugePages(name))
      errors.push(invalid(field, name, "must be a standard resource for containers"));
  } else if (!isNative(name) && !isExtended(name))
    errors.push(invalid(field, name, "doesn't follow extended resource name standard"));
}

/** Whether a quota knows a name by itself; others are counted by their kind. */
export function isQuotaName(name: string): boolean {
  return (standard.has(name) && name !== "storage") || isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** What is wrong with the name of a resource in a quota. */
export function checkQuotaName(name: string, field: string, errors: Errors): void {
  checkAnyName(name, field, errors);
  if (!name.includes("/") && !isQuotaName(name))
    errors.push(invalid(field, name, "must be a standard resource for quota"));
}

/** What is wrong with an amount of a resource: below zero, or parts of what comes whole. */
export function checkQuantity(name: string, value: unknown, field: string, errors: Errors): void {
  const amount = quantityOf(value);
  if (amount.sign < 0) errors.push(invalid(field, amount.toString(), notNegative));
  if ((counted.has(name) || isExtended(name)) && amount.toMilliUnits() % 1000n !== 0n)
    errors.push(invalid(field, amount.toString(), "must be an integer"));
}

function checkAmount(name: string, amount: Quantity, field: string, errors: Errors): void {
  if (amount.sign < 0) errors.push(invalid(field, amount.toString(), notNegative));
  if (isExtended(name) && amount.toMilliUnits() % 1000n !== 0n)
    errors.push(invalid(field, amount.toString(), "must be an integer"));
}

/** What is wrong with the limits and requests of a container, or of an overhead. */
export function checkResources(
  resources: JsonObject,
  field: string,
  { claims, errors }: { readonly claims: ReadonlySet<string>; readonly errors: Errors },
): void {
  const limits = objectAt(resources, "limits");
  const requests = objectAt(resources, "requests");
  const names = new Set([...Object.keys(limits), ...Object.keys(requests)]);
  for (const [name, value] of Object.entries(limits)) {
    checkContainerName(name, `${field}.limits[${name}]`, errors);
    checkAmount(name, quantityOf(value), `${field}.limits[${name}]`, errors);
  }
  for (const [name, value] of Object.entries(requests)) {
    const amount = quantityOf(value);
    checkContainerName(name, `${field}.requests[${name}]`, errors);
    checkAmount(name, amount, `${field}.requests[${name}]`, errors);
    const given = Object.hasOwn(limits, name) ? quantityOf(limits[name]) : undefined;
    if (given === undefined) {
      if (!isOvercommitAllowed(name))
        errors.push(required(`${field}.limits`, "Limit must be set for non overcommitable resources"));
    } else if (!isOvercommitAllowed(name) && !amount.equals(given))
      errors.push(
        invalid(`${field}.requests`, amount.toString(), `must be equal to ${name} limit of ${given.toString()}`),
      );
    else if (amount.compare(given) > 0)
      errors.push(
        invalid(
          `${field}.requests`,
          amount.toString(),
          `must be less than or equal to ${name} limit of ${given.toString()}`,
        ),
      );
  }
  if ([...names].some(isHugePages) && !names.has("cpu") && !names.has("memory"))
    errors.push(forbidden(field, "HugePages require cpu or memory"));
  if (listAt(resources, "claims").length > 0) checkClaims(resources, field, claims, errors);
}

function checkClaims(resources: JsonObject, field: string, claims: ReadonlySet<string>, errors: Errors): void {
  const seen = new Set<string>();
  for (const [claim, at] of entriesAt(resources, "claims", field)) {
    const name = textAt(claim, "name");
    if (name === "") errors.push(required(`${at}`));
    else if (seen.has(name)) errors.push({ type: "Duplicate", field: at, badValue: name, detail: "" });
    else if (!claims.has(name)) errors.push({ type: "NotFound", field: `${at}.name`, badValue: name, detail: "" });
    seen.add(name);
  }
}
