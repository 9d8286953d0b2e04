import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { invalid } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { childDraft, type Draft, draftsIn, keepFrom, listAt, objectAt, textAt } from "../draft.js";
import { humanDuration } from "../human-duration.js";
import type { Strategy } from "../resource.js";
import { type Errors, optionalNumber } from "./field-checks.js";
import { pathSegmentName } from "./generic.js";

const verdicts = ["Approved", "Denied"];

/** Requests for certificates: the verdict is written on a path of its own, the certificate on the status' path. */
export const certificateSigningRequestStrategy: Strategy = {
  nameRule: pathSegmentName,
  unconditionalUpdate: true,
  tracksGeneration: false,
  prepareNew(draft) {
    draft["status"] = {};
  },
  prepareChange(draft, old, subresource) {
    // What is asked for does not change.
    keepFrom(draft, old, "spec");
    const status = childDraft(draft, "status");
    const before = objectAt(old, "status");
    if (subresource === "") keepFrom(draft, old, "status");
    else if (subresource === "approval") keepFrom(status, before, "certificate");
    else keepVerdicts(status, before);
  },
  check(object, old, subresource) {
    const errors: Errors = [];
    if (subresource === "approval" && old) checkVerdicts(object, old, errors);
    return errors;
  },
  columns: [
    nameColumn,
    ageColumn,
    { name: "SignerName", type: "string", cell: (one) => textAt(objectAt(one, "spec"), "signerName") || "<none>" },
    { name: "Requestor", type: "string", cell: (one) => textAt(objectAt(one, "spec"), "username") },
    {
      name: "RequestedDuration",
      type: "string",
      cell(one) {
        const seconds = optionalNumber(objectAt(one, "spec"), "expirationSeconds");
        return seconds === undefined ? "<none>" : humanDuration(seconds * 1000);
      },
    },
    { name: "Condition", type: "string", cell: conditionOf },
  ],
};

/** A status' write leaves the verdict as it is. */
function keepVerdicts(status: Draft, before: JsonObject): void {
  const own = draftsIn(status["conditions"]).filter((one) => !verdicts.includes(textAt(one, "type")));
  const kept = listAt(before, "conditions").filter(
    (one) => isJsonObject(one) && verdicts.includes(textAt(one, "type")),
  );
  const conditions = [...(kept as Draft[]), ...own];
  if (conditions.length > 0) status["conditions"] = conditions;
  else delete status["conditions"];
}

function checkVerdicts(object: JsonObject, old: JsonObject, errors: Errors): void {
  const types = listAt(objectAt(object, "status"), "conditions")
    .filter(isJsonObject)
    .map((one) => textAt(one, "type"));
  for (const before of listAt(objectAt(old, "status"), "conditions").filter(isJsonObject)) {
    const type = textAt(before, "type");
    const after = listAt(objectAt(object, "status"), "conditions").find(
      (one) => isJsonObject(one) && one["type"] === type,
    );
    if (!verdicts.includes(type) || deepEqual(after, before) || after !== undefined) continue;
    errors.push({
      type: "Forbidden",
      field: "status.conditions",
      detail: `updates may not remove a condition of type ${JSON.stringify(type)}`,
    });
  }
  if (verdicts.every((type) => types.includes(type)))
    errors.push(
      invalid("status.conditions[1].type", types[1] ?? "", "Approved and Denied conditions are mutually exclusive"),
    );
}

function conditionOf(request: JsonObject): string {
  const status = objectAt(request, "status");
  const types = listAt(status, "conditions").map((one) => (isJsonObject(one) ? textAt(one, "type") : ""));
  const told = ["Approved", "Denied", "Failed"].filter((type) => types.includes(type));
  if (told.length === 0) return "Pending";
  return [...told, ...(textAt(status, "certificate") === "" ? [] : ["Issued"])].join(",");
}
