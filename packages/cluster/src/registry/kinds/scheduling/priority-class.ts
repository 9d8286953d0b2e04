import { forbidden, invalid } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { type Draft, metadataOf, numberAt, setDefault, textAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkEnum, type Errors, immutable } from "../../validation/index.js";

const highest = 1_000_000_000;

/** The values of the PriorityClasses that the server creates, by name. */
const systemPriorities: Readonly<Record<string, number>> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

/** The PriorityClasses of a fresh server. */
export function systemPriorityClasses(): Draft[] {
  const described: Readonly<Record<string, string>> = {
    "system-cluster-critical":
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    "system-node-critical": "Used for system critical pods that must not be moved from their current node.",
  };
  return Object.entries(systemPriorities).map(([name, value]) => ({
    metadata: { name },
    value,
    description: described[name] ?? "",
  }));
}

/** PriorityClass. */
export const priorityClassStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  isNewGeneration: () => false,
  applyDefaults(draft) {
    setDefault(draft, "preemptionPolicy", "PreemptLowerPriority");
  },
  canonicalize(draft) {
    draft["value"] ??= 0;
  },
  validate(object, old) {
    const errors: Errors = [];
    const value = numberAt(object, "value");
    const policy = textAt(object, "preemptionPolicy");
    if (old) {
      if (value !== numberAt(old, "value")) errors.push(forbidden("value", "may not be changed in an update."));
      if (policy !== textAt(old, "preemptionPolicy")) errors.push(invalid("preemptionPolicy", policy, immutable));
      return errors;
    }
    const name = textAt(metadataOf(object), "name");
    if (name.startsWith("system-")) {
      const problem = systemProblem(name, value, object["globalDefault"] === true);
      if (problem !== undefined)
        errors.push(
          forbidden(
            "metadata.name",
            `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`,
          ),
        );
    } else if (value > highest)
      errors.push(forbidden("value", `maximum allowed value of a user defined priority is ${highest}`));
    checkEnum(policy, ["PreemptLowerPriority", "Never"], "preemptionPolicy", errors);
    return errors;
  },
  fields: {
    empty: { value: 0 },
  },
  table: {
    columns: [
      nameColumn,
      { name: "Value", type: "integer", cell: (object) => numberAt(object, "value") },
      { name: "Global-Default", type: "boolean", cell: (object) => object["globalDefault"] === true },
      ageColumn,
      { name: "PreemptionPolicy", type: "string", cell: (object) => textAt(object, "preemptionPolicy") },
    ],
  },
};

function systemProblem(name: string, value: number, isDefault: boolean): string | undefined {
  if (!Object.hasOwn(systemPriorities, name)) return `${name} is not a known system priority class`;
  if (value !== systemPriorities[name]) return `value of ${name} PriorityClass must be ${systemPriorities[name]}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
