import type { JsonObject } from "@kubewright/core/json";
import { duplicate, invalid } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { objectAt, partAt, textAt } from "../../draft.js";
import { labelName, subdomainName } from "../../name-rules.js";
import { checkLabels } from "../../object-meta.js";
import type { Strategy } from "../../strategy.js";
import { checkRequiredName, checkResources, type Errors, entriesAt, immutable } from "../../validation/index.js";
import { checkTolerations } from "../core/pod-spec/index.js";

/** RuntimeClass. */
export const runtimeClassStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  validate(object, old) {
    const errors: Errors = [];
    const handler = textAt(object, "handler");
    checkRequiredName(handler, labelName, "handler", errors);
    const overhead = partAt(object, "overhead");
    if (overhead) checkResources({ limits: objectAt(overhead, "podFixed") }, "overhead", { claims: new Set(), errors });
    const scheduling = partAt(object, "scheduling");
    if (scheduling) {
      errors.push(...checkLabels(objectAt(scheduling, "nodeSelector"), "scheduling.nodeSelector"));
      checkTolerations(scheduling, "scheduling", errors);
      checkUnique(scheduling, errors);
    }
    if (old && handler !== textAt(old, "handler")) errors.push(invalid("handler", handler, immutable));
    return errors;
  },
  table: {
    columns: [nameColumn, { name: "Handler", type: "string", cell: (object) => textAt(object, "handler") }, ageColumn],
  },
};

/** Tolerations that differ only in tolerationSeconds are duplicates. */
function checkUnique(scheduling: JsonObject, errors: Errors): void {
  const seen = new Set<string>();
  for (const [toleration, at] of entriesAt(scheduling, "tolerations", "scheduling")) {
    const key = ["key", "operator", "value", "effect"].map((field) => textAt(toleration, field)).join("\0");
    if (seen.has(key)) errors.push(duplicate(at, toleration));
    seen.add(key);
  }
}
