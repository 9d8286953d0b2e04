import { forbidden, invalid } from "@kubewright/core/schema";
import type { PriorityClass } from "kubewright/k8s/scheduling/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Drafted } from "../../decoded.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkEnum, type Errors, immutable } from "../../validation/index.js";

const maxUserPriority = 1_000_000_000;

/** The values of the PriorityClasses that the server creates, by name. */
const systemPriorities: Readonly<Record<string, number>> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

/** The system PriorityClasses of a new cluster. */
export function systemPriorityClasses(): Drafted<PriorityClass>[] {
  const descriptions: Readonly<Record<string, string>> = {
    "system-cluster-critical":
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    "system-node-critical": "Used for system critical pods that must not be moved from their current node.",
  };
  return Object.entries(systemPriorities).map(([name, value]) => ({
    metadata: { name },
    value,
    description: descriptions[name] ?? "",
  }));
}

/** PriorityClass. */
export const priorityClassStrategy: Strategy<PriorityClass> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  isNewGeneration: () => false,
  applyDefaults(draft) {
    draft.preemptionPolicy ||= "PreemptLowerPriority";
  },
  canonicalize(draft) {
    draft.value ??= 0;
  },
  validate(object, old) {
    const errors: Errors = [];
    const { value = 0, preemptionPolicy = "" } = object;
    if (old) {
      if (value !== (old.value ?? 0)) errors.push(forbidden("value", "may not be changed in an update."));
      if (preemptionPolicy !== (old.preemptionPolicy ?? ""))
        errors.push(invalid("preemptionPolicy", preemptionPolicy, immutable));
      return errors;
    }
    const { name = "" } = object.metadata ?? {};
    if (name.startsWith("system-")) {
      const problem = systemProblem(name, value, object.globalDefault === true);
      if (problem !== undefined)
        errors.push(
          forbidden(
            "metadata.name",
            `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`,
          ),
        );
    } else if (value > maxUserPriority)
      errors.push(forbidden("value", `maximum allowed value of a user defined priority is ${maxUserPriority}`));
    checkEnum(preemptionPolicy, ["PreemptLowerPriority", "Never"], "preemptionPolicy", errors);
    return errors;
  },
  fields: {
    empty: { value: 0 },
  },
  table: {
    columns: [
      nameColumn,
      { name: "Value", type: "integer", cell: (object) => object.value ?? 0 },
      { name: "Global-Default", type: "boolean", cell: (object) => object.globalDefault === true },
      ageColumn,
      { name: "PreemptionPolicy", type: "string", cell: (object) => object.preemptionPolicy ?? "" },
    ],
  },
};

function systemProblem(name: string, value: number, isDefault: boolean): string | undefined {
  if (!Object.hasOwn(systemPriorities, name)) return `${name} is not a known system priority class`;
  if (value !== systemPriorities[name]) return `value of ${name} PriorityClass must be ${systemPriorities[name]}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
