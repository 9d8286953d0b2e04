import type { JsonObject } from "@kubewright/core/json";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft, listAt, metadataOf, objectAt, partAt } from "../../draft.js";
import type { Strategy } from "../../strategy.js";
import { keepOtherPart } from "../spec-and-status.js";
import { checkSame, defaultRequests, shared } from "./device-requests.js";

/** ResourceClaim: the spec is immutable. */
export const resourceClaimStrategy: Strategy = {
  ...shared,
  applyDefaults: (draft) => defaultRequests(childDraft(draft, "spec")),
  prepareForCreate(draft) {
    draft["status"] = {};
  },
  prepareForUpdate: keepOtherPart,
  validate: (object, old) => (old ? checkSame(object, old) : []),
  table: {
    columns: [nameColumn, { name: "State", type: "string", cell: printState }, ageColumn],
  },
};

function printState(object: JsonObject): string {
  const status = objectAt(object, "status");
  const isLeaving = metadataOf(object)["deletionTimestamp"] !== undefined;
  const states = isLeaving ? ["deleted"] : [];
  if (partAt(status, "allocation")) states.push("allocated");
  else if (!isLeaving) states.push("pending");
  if (listAt(status, "reservedFor").length > 0) states.push("reserved");
  return states.join(",");
}
