import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { invalid } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import {
  childDraft,
  type Draft,
  draftsIn,
  isDraft,
  listAt,
  metadataOf,
  objectAt,
  setDefault,
  textAt,
} from "../draft.js";
import { subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";
import { immutable, partAt } from "./field-checks.js";
import { keepOtherPart, setMissing } from "./workload.js";

const shared = { nameRule: subdomainName, unconditionalUpdate: true, returnsDeleted: true };

function defaultRequests(spec: Draft): void {
  for (const request of draftsIn(childDraft(spec, "devices")["requests"])) {
    const choices = [request["exactly"], ...draftsIn(request["firstAvailable"])];
    for (const choice of choices) {
      if (!isDraft(choice)) continue;
      setDefault(choice, "allocationMode", "ExactCount");
      if (choice["allocationMode"] === "ExactCount") setMissing(choice, "count", 1);
    }
  }
}

/** Kinds of devices. Of these kinds the defaults and the columns are there; what a spec says is not checked. */
export const deviceClassStrategy: Strategy = {
  ...shared,
  tracksGeneration: true,
  columns: [nameColumn, ageColumn],
};

/** Claims to devices: what is asked for does not change. */
export const resourceClaimStrategy: Strategy = {
  ...shared,
  tracksGeneration: false,
  applyDefaults: (draft) => defaultRequests(childDraft(draft, "spec")),
  prepareNew(draft) {
    draft["status"] = {};
  },
  prepareChange: keepOtherPart,
  check: (object, old) => (old ? checkSame(object, old) : []),
  columns: [nameColumn, { name: "State", type: "string", cell: printState }, ageColumn],
};

/** From what claims to devices are made for pods. */
export const resourceClaimTemplateStrategy: Strategy = {
  ...shared,
  tracksGeneration: false,
  applyDefaults: (draft) => defaultRequests(childDraft(childDraft(draft, "spec"), "spec")),
  check: (object, old) => (old ? checkSame(object, old) : []),
  columns: [nameColumn, ageColumn],
};

/** Which devices there are. */
export const resourceSliceStrategy: Strategy = {
  ...shared,
  tracksGeneration: true,
  selectableFields: {
    "spec.nodeName": (object) => textAt(objectAt(object, "spec"), "nodeName"),
    "spec.driver": (object) => textAt(objectAt(object, "spec"), "driver"),
  },
  columns: [
    nameColumn,
    { name: "Node", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "nodeName") },
    { name: "Driver", type: "string", cell: (object) => textAt(objectAt(object, "spec"), "driver") },
    { name: "Pool", type: "string", cell: (object) => textAt(objectAt(objectAt(object, "spec"), "pool"), "name") },
    ageColumn,
  ],
};

function checkSame(object: JsonObject, old: JsonObject): ReturnType<typeof invalid>[] {
  const [spec, before] = [objectAt(object, "spec"), objectAt(old, "spec")];
  return deepEqual(spec, before) ? [] : [invalid("spec", spec, immutable)];
}

function printState(object: JsonObject): string {
  const status = objectAt(object, "status");
  const isLeaving = metadataOf(object)["deletionTimestamp"] !== undefined;
  const states = isLeaving ? ["deleted"] : [];
  if (partAt(status, "allocation")) states.push("allocated");
  else if (!isLeaving) states.push("pending");
  if (listAt(status, "reservedFor").length > 0) states.push("reserved");
  return states.join(",");
}
