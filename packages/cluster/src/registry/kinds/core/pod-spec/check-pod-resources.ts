import { Quantity } from "@kubewright/core/quantity";
import { duplicate, forbidden, invalid, required } from "@kubewright/core/schema";
import type { Container, PodSpec } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
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

/** Validates the resourceClaims of a pod; returns their names. */
export function checkResourceClaims(spec: Decoded<PodSpec>, field: string, errors: Errors): Set<string> {
  const names = new Set<string>();
  for (const [claim, at] of entriesAt(spec, "resourceClaims", field)) {
    const { name = "", resourceClaimName: existing, resourceClaimTemplateName: template } = claim;
    if (name === "") errors.push(required(`${at}.name`));
    else if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    else checkName(name, labelName, `${at}.name`, errors);
    if (name !== "") names.add(name);
    if (existing !== undefined && template !== undefined)
      errors.push(
        invalid(at, claim, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"),
      );
    if (existing === undefined && template === undefined)
      errors.push(invalid(at, claim, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"));
    if (existing !== undefined) checkName(existing, subdomainName, `${at}.resourceClaimName`, errors);
    if (template !== undefined) checkName(template, subdomainName, `${at}.resourceClaimTemplateName`, errors);
  }
  return names;
}

/** Validates the pod-level resources, also against those of the containers. */
export function checkPodResources(
  spec: Decoded<PodSpec>,
  field: string,
  { claims, errors }: { readonly claims: ReadonlySet<string>; readonly errors: Errors },
): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const at = `${field}.resources`;
  if (spec.os?.name === "windows") return void errors.push(forbidden(at, "may not be set for a windows pod"));
  if (resources.claims !== undefined)
    errors.push(forbidden(`${at}.claims`, "claims may not be set for Resources at pod-level"));
  checkResources(resources, at, { claims, errors, checkResourceName: checkPodResourceName });
  const { requests = {}, limits = {} } = resources;
  for (const [name, requested] of aggregate(spec, "requests")) {
    const given = Object.hasOwn(requests, name) ? quantityOf(requests[name]) : undefined;
    if (given !== undefined && requested.compare(given) > 0)
      errors.push(
        invalid(
          `${at}.requests[${name}]`,
          given.toString(),
          `must be greater than or equal to aggregate container requests of ${requested.toString()}`,
        ),
      );
  }
  for (const [name, limit] of aggregate(spec, "limits")) {
    const given = Object.hasOwn(limits, name) && isHugePages(name) ? quantityOf(limits[name]) : undefined;
    if (given !== undefined && limit.compare(given) > 0)
      errors.push(
        invalid(
          `${at}.limits[${name}]`,
          given.toString(),
          `must be greater than or equal to aggregate container limits of ${limit.toString()}`,
        ),
      );
  }
  for (const [index, container] of (spec.containers ?? []).entries())
    for (const [name, value] of Object.entries(container.resources?.limits ?? {})) {
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
function aggregate(spec: Decoded<PodSpec>, kind: "requests" | "limits"): Map<string, Quantity> {
  const quantities = (container: Decoded<Container>): [string, Quantity][] =>
    Object.entries(container.resources?.[kind] ?? {}).map(([name, value]) => [name, quantityOf(value)]);
  const running = new Map<string, Quantity>();
  const add = (into: Map<string, Quantity>, name: string, quantity: Quantity): void =>
    void into.set(name, (into.get(name) ?? Quantity.of(0)).add(quantity));
  for (const container of spec.containers ?? [])
    for (const [name, quantity] of quantities(container)) add(running, name, quantity);
  const sidecars = new Map<string, Quantity>();
  const initMaximum = new Map<string, Quantity>();
  for (const container of spec.initContainers ?? []) {
    const isSidecar = container.restartPolicy === "Always";
    const withSidecars = new Map(sidecars);
    for (const [name, quantity] of quantities(container)) {
      add(withSidecars, name, quantity);
      if (!isSidecar) continue;
      add(sidecars, name, quantity);
      add(running, name, quantity);
    }
    for (const [name, quantity] of withSidecars)
      if (quantity.compare(initMaximum.get(name) ?? Quantity.of(0)) > 0 || !initMaximum.has(name))
        initMaximum.set(name, quantity);
  }
  for (const [name, quantity] of initMaximum) {
    const all = running.get(name);
    if (all === undefined || quantity.compare(all) > 0) running.set(name, quantity);
  }
  return running;
}
