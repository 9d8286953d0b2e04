import { invalid, required } from "@kubewright/core/schema";
import type { ServiceCIDR } from "kubewright/k8s/networking/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { canonicalCidr, checkName, type Errors, immutable, parseCidr } from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";

/** ServiceCIDR: the CIDRs from which ClusterIPs are allocated. */
export const serviceCidrStrategy: Strategy<ServiceCIDR> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepOtherPart,
  validate(object, old, { subresource }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    const cidrs = object.spec?.cidrs ?? [];
    const before = old && (old.spec?.cidrs ?? []);
    if (!before) checkCidrs(cidrs, errors);
    else if (before.length === 1 && cidrs.length === 2) {
      if (cidrs[0] !== before[0]) errors.push(invalid("spec.cidrs[0]", cidrs[0] ?? "", immutable));
      checkCidrs(cidrs, errors);
    } else if (before.length !== cidrs.length)
      errors.push(invalid("spec.cidrs", cidrs.length === 0 ? null : cidrs, immutable));
    else
      for (const [index, cidr] of cidrs.entries())
        if (cidr !== before[index]) errors.push(invalid(`spec.cidrs[${index}]`, cidr, immutable));
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      { name: "CIDRs", type: "string", cell: ({ spec }) => spec?.cidrs?.join(",") ?? "" },
      ageColumn,
    ],
  },
};

function checkCidrs(cidrs: readonly string[], errors: Errors): void {
  const field = "spec.cidrs";
  if (cidrs.length === 0) return void errors.push(required(field, "at least one CIDR required"));
  if (cidrs.length > 2) return void errors.push(invalid(field, cidrs, "may only hold up to 2 values"));
  for (const [index, cidr] of cidrs.entries()) checkName(cidr, canonicalCidr, `${field}[${index}]`, errors);
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.family);
  if (first !== undefined && first === second)
    errors.push(
      invalid(field, cidrs, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"),
    );
}
