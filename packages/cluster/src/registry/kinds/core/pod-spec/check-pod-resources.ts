import type { JsonObject } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";
import { duplicate, forbidden, invalid, required } from "@kubewright/core/schema";
import { objectAt, partAt, textAt } from "../../../draft.js";
import { labelName, subdomainName } from "../../../name-rules.js";
import {
  checkName,
  checkPodResourceName,
  checkResources,
  type Errors,
  entriesAt,
  isHugePages,
  quantityOf,
} from "../../../validation/index.js";

/** Validates the resourceClaims of a pod; gives their names. */
export function checkPodClaims(spec: JsonObject, field: string, errors: Errors): Set<string> {
  const names = new Set<string>();
  for (const [claim, at] of entriesAt(spec, "resourceClaims", field)) {
    const name = textAt(claim, "name");
    if (name === "") errors.push(required(`${at}.name`));
    else if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    else checkName(name, labelName, `${at}.name`, errors);
    if (name !== "") names.add(name);
    const { resourceClaimName: existing, resourceClaimTemplateName: template } = claim;
    if (existing !== undefined && template !== undefined)
      errors.push(
        invalid(at, claim, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"),
      );
    if (existing === undefined && template === undefined)
      errors.push(invalid(at, claim, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"));
    if (typeof existing === "string") checkName(existing, subdomainName, `${at}.resourceClaimName`, errors);
    if (typeof template === "string") checkName(template, subdomainName, `${at}.resourceClaimTemplateName`, errors);
  }
  return names;
}

/** Validates the pod-level resources, also against those of the containers. */
export function checkPodResources(
  spec: JsonObject,
  field: string,
  { claims, errors }: { readonly claims: ReadonlySet<string>; readonly errors: Errors },
): void {
  const resources = partAt(spec, "resources");
  if (resources === undefined) return;
  const at = `${field}.resources`;
  if (textAt(objectAt(spec, "os"), "name") === "windows")
    return void errors.push(forbidden(at, "may not be set for a windows pod"));
  if (resources["claims"] !== undefined)
    errors.push(forbidden(`${at}.claims`, "claims may not be set for Resources at pod-level"));
  checkResources(resources, at, { claims, errors, checkResourceName: checkPodResourceName });
  const [requests, limits] = [objectAt(resources, "requests"), objectAt(resources, "limits")];
  for (const [name, asked] of aggregate(spec, "requests")) {
    const given = Object.hasOwn(requests, name) ? quantityOf(requests[name]) : undefined;
    if (given !== undefined && asked.compare(given) > 0)
      errors.push(
        invalid(
          `${at}.requests[${name}]`,
          given.toString(),
          `must be greater than or equal to aggregate container requests of ${asked.toString()}`,
        ),
      );
  }
  for (const [name, allowed] of aggregate(spec, "limits")) {
    const given = Object.hasOwn(limits, name) && isHugePages(name) ? quantityOf(limits[name]) : undefined;
    if (given !== undefined && allowed.compare(given) > 0)
      errors.push(
        invalid(
          `${at}.limits[${name}]`,
          given.toString(),
          `must be greater than or equal to aggregate container limits of ${allowed.toString()}`,
        ),
      );
  }
  for (const [index, [container]] of entriesAt(spec, "containers", field).entries())
    for (const [name, value] of Object.entries(objectAt(objectAt(container, "resources"), "limits"))) {
      const given = Object.hasOwn(limits, name) ? quantityOf(limits[name]) : undefined;
      const own = quantityOf(value);
      if (given !== undefined && own.compare(given) > 0)
        errors.push(
          invalid(
            `${at}.containers[${index}][${name}].limits`,
            own.toString(),
            `must be less than or equal to pod limits of ${given.toString()}`,
          ),
        );
    }
}

/** The sum over the containers, or the maximum over the init containers with the sidecars before them. */
function aggregate(spec: JsonObject, kind: "requests" | "limits"): Map<string, Quantity> {
  const amounts = (container: JsonObject): [string, Quantity][] =>
    Object.entries(objectAt(objectAt(container, "resources"), kind)).map(([name, value]) => [name, quantityOf(value)]);
  const running = new Map<string, Quantity>();
  const add = (into: Map<string, Quantity>, name: string, amount: Quantity): void =>
    void into.set(name, (into.get(name) ?? Quantity.of(0)).add(amount));
  for (const [container] of entriesAt(spec, "containers", ""))
    for (const [name, amount] of amounts(container)) add(running, name, amount);
  const sidecars = new Map<string, Quantity>();
  const most = new Map<string, Quantity>();
  for (const [container] of entriesAt(spec, "initContainers", "")) {
    const isSidecar = textAt(container, "restartPolicy") === "Always";
    const beside = new Map(sidecars);
    for (const [name, amount] of amounts(container)) {
      add(beside, name, amount);
      if (!isSidecar) continue;
      add(sidecars, name, amount);
      add(running, name, amount);
    }
    for (const [name, amount] of beside)
      if (amount.compare(most.get(name) ?? Quantity.of(0)) > 0 || !most.has(name)) most.set(name, amount);
  }
  for (const [name, amount] of most) {
    const all = running.get(name);
    if (all === undefined || amount.compare(all) > 0) running.set(name, amount);
  }
  return running;
}
