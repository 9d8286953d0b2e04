import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { objectAt, textAt, textsAt } from "../draft.js";
import { subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";
import { checkName, type Errors, immutable, partAt } from "./field-checks.js";
import { pathSegmentName } from "./generic.js";
import { parseRange, strictAddress, strictRange } from "./network-values.js";
import { keepOtherPart } from "./workload.js";

/** Addresses that are in use. */
export const ipAddressStrategy: Strategy = {
  nameRule: strictAddress,
  unconditionalUpdate: true,
  tracksGeneration: false,
  check(object, old) {
    const parent = partAt(objectAt(object, "spec"), "parentRef");
    const field = "spec.parentRef";
    const errors: Errors = [];
    if (old) {
      const before = partAt(objectAt(old, "spec"), "parentRef");
      if (!deepEqual(parent ?? null, before ?? null)) errors.push(invalid(field, parent ?? null, immutable));
      return errors;
    }
    if (!parent) return [required(field)];
    if (textAt(parent, "group") !== "") checkName(textAt(parent, "group"), subdomainName, `${field}.group`, errors);
    for (const key of ["resource", "name"]) {
      if (textAt(parent, key) === "") errors.push(required(`${field}.${key}`));
      else checkName(textAt(parent, key), pathSegmentName, `${field}.${key}`, errors);
    }
    if (textAt(parent, "namespace") !== "")
      checkName(textAt(parent, "namespace"), pathSegmentName, `${field}.namespace`, errors);
    return errors;
  },
  columns: [nameColumn, { name: "ParentRef", type: "string", cell: printParent }],
  headless: [ageColumn],
};

function printParent(object: JsonObject): string {
  const parent = partAt(objectAt(object, "spec"), "parentRef");
  if (!parent) return "<none>";
  const group = textAt(parent, "group");
  const resource = `${textAt(parent, "resource")}${group === "" ? "" : `.${group}`}`.toLowerCase();
  const namespace = textAt(parent, "namespace");
  return `${resource}${namespace === "" ? "" : `/${namespace}`}/${textAt(parent, "name")}`;
}

/** Ranges from which Services may get their addresses. */
export const serviceRangeStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: true,
  tracksGeneration: false,
  prepareNew(draft) {
    draft["status"] = {};
  },
  prepareChange: keepOtherPart,
  check(object, old, subresource) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    const ranges = textsAt(spec, "cidrs");
    const before = old && textsAt(objectAt(old, "spec"), "cidrs");
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
  columns: [
    nameColumn,
    { name: "CIDRs", type: "string", cell: (object) => textsAt(objectAt(object, "spec"), "cidrs").join(",") },
    ageColumn,
  ],
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
