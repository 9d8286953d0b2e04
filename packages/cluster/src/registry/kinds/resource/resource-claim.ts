import type { ResourceClaim } from "kubewright/k8s/resource/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import type { Strategy } from "../../strategy.js";
import { keepOtherPart } from "../spec-and-status.js";
import { checkSpecImmutable, defaultRequests, shared } from "./device-requests.js";

/** ResourceClaim. The spec is immutable. */
export const resourceClaimStrategy: Strategy<ResourceClaim> = {
  ...shared,
  applyDefaults: (draft) => defaultRequests(childDraft(draft, "spec")),
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepOtherPart,
  validate: (object, old) => (old ? checkSpecImmutable(object, old) : []),
  table: {
    columns: [nameColumn, { name: "State", type: "string", cell: printState }, ageColumn],
  },
};

function printState({ metadata, status = {} }: Decoded<ResourceClaim>): string {
  const isTerminating = metadata?.deletionTimestamp !== undefined;
  const states = isTerminating ? ["deleted"] : [];
  if (status.allocation) states.push("allocated");
  else if (!isTerminating) states.push("pending");
  if (status.reservedFor) states.push("reserved");
  return states.join(",");
}
