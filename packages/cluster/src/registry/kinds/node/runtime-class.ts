import { duplicate, invalid } from "@kubewright/core/schema";
import type { RuntimeClass, Scheduling } from "kubewright/k8s/node/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { labelName, subdomainName } from "../../name-rules.js";
import { checkLabels } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";
import { checkRequiredName, checkResources, type Errors, entriesAt, immutable } from "../../validation/index.js";
import { checkTolerations } from "../core/pod-spec/index.js";

/** RuntimeClass. */
export const runtimeClassStrategy: Strategy<RuntimeClass> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  validate(object, old) {
    const errors: Errors = [];
    const { handler = "", overhead, scheduling } = object;
    checkRequiredName(handler, labelName, "handler", errors);
    checkResources({ limits: overhead?.podFixed ?? {} }, "overhead", { claims: new Set(), errors });
    if (scheduling) {
      errors.push(...checkLabels(scheduling.nodeSelector ?? {}, "scheduling.nodeSelector"));
      checkTolerations(scheduling, "scheduling", errors);
      checkUnique(scheduling, errors);
    }
    if (old && handler !== old.handler) errors.push(invalid("handler", handler, immutable));
    return errors;
  },
  table: {
    columns: [nameColumn, { name: "Handler", type: "string", cell: (object) => object.handler ?? "" }, ageColumn],
  },
};

/** Tolerations that differ only in tolerationSeconds are duplicates. */
function checkUnique(scheduling: Decoded<Scheduling>, errors: Errors): void {
  const seen = new Set<string>();
  for (const [toleration, at] of entriesAt(scheduling, "tolerations", "scheduling")) {
    const { key, operator, value, effect } = toleration;
    const id = [key, operator, value, effect].join("\0");
    if (seen.has(id)) errors.push(duplicate(at, toleration));
    seen.add(id);
  }
}
