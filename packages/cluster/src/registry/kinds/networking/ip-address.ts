import { deepEqual } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import type { IPAddress } from "kubewright/k8s/networking/v1";
import { nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { pathSegmentName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { canonicalAddress, checkName, checkRequiredName, type Errors, immutable } from "../../validation/index.js";

/** IPAddress: an allocated ClusterIP. */
export const ipAddressStrategy: Strategy<IPAddress> = {
  nameRule: canonicalAddress,
  allowUnconditionalUpdate: true,
  validate(object, old) {
    const parent = object.spec?.parentRef;
    const field = "spec.parentRef";
    const errors: Errors = [];
    if (old) {
      if (!deepEqual(parent, old.spec?.parentRef)) errors.push(invalid(field, parent ?? null, immutable));
      return errors;
    }
    if (!parent) return [required(field)];
    if (parent.group) checkName(parent.group, subdomainName, `${field}.group`, errors);
    checkRequiredName(parent.resource ?? "", pathSegmentName, `${field}.resource`, errors);
    checkRequiredName(parent.name ?? "", pathSegmentName, `${field}.name`, errors);
    if (parent.namespace) checkName(parent.namespace, pathSegmentName, `${field}.namespace`, errors);
    return errors;
  },
  table: {
    columns: [nameColumn, { name: "ParentRef", type: "string", cell: printParent }],
  },
};

function printParent({ spec }: Decoded<IPAddress>): string {
  if (!spec?.parentRef) return "<none>";
  const { group, resource = "", namespace, name = "" } = spec.parentRef;
  const qualified = `${resource}${group ? `.${group}` : ""}`.toLowerCase();
  return `${qualified}${namespace ? `/${namespace}` : ""}/${name}`;
}
