import { invalid, required } from "@kubewright/core/schema";
import type { ServiceCIDR } from "kubewright/k8s/networking/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkName, type Errors, immutable, parseRange, strictRange } from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";

/** ServiceCIDR: the ranges of the ClusterIPs of Services. */
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
    const ranges = object.spec?.cidrs ?? [];
    const before = old && (old.spec?.cidrs ?? []);
    if (!before) checkRanges(ranges, errors);
    else if (before.length === 1 && ranges.length === 2) {
      if (ranges[0] !== before[0]) errors.push(invalid("spec.cidrs[0]", ranges[0] ?? "", immutable));
      checkRanges(ranges, errors);
    } else if (before.length !== ranges.length)
      errors.push(invalid("spec.cidrs", ranges.length === 0 ? null : ranges, immutable));
    else
      for (const [index, range] of ranges.entries())
        if (range !== before[index]) errors.push(invalid(`spec.cidrs[${index}]`, range, immutable));
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

function checkRanges(ranges: readonly string[], errors: Errors): void {
  const field = "spec.cidrs";
  if (ranges.length === 0) return void errors.push(required(field, "at least one CIDR required"));
  if (ranges.length > 2) return void errors.push(invalid(field, ranges, "may only hold up to 2 values"));
  for (const [index, range] of ranges.entries()) checkName(range, strictRange, `${field}[${index}]`, errors);
  const [first, second] = ranges.map((range) => parseRange(range)?.family);
  if (first !== undefined && first === second)
    errors.push(
      invalid(
        field,
        ranges,
        "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64",
      ),
    );
}
