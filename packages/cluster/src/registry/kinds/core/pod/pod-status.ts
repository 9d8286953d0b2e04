import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import { listAt, numberAt, objectAt, partAt, textAt } from "../../../draft.js";
import { qualifiedName, subdomainName } from "../../../name-rules.js";
import { checkName, type Errors, entriesAt, immutable, ipAddress } from "../../../validation/index.js";

const systemConditions = ["PodScheduled", "Ready", "Initialized"];

/** Validates an update of a pod's status. */
export function checkPodStatus(pod: JsonObject, old: JsonObject): Errors {
  const errors: Errors = [];
  const status = objectAt(pod, "status");
  const before = objectAt(old, "status");
  for (const [condition, at] of entriesAt(status, "conditions", "status")) {
    const type = textAt(condition, "type");
    if (!systemConditions.includes(type)) checkName(type, qualifiedName, `${at}.Type`, errors);
  }
  const nominated = textAt(status, "nominatedNodeName");
  if (nominated !== "" && nominated !== textAt(before, "nominatedNodeName")) {
    checkName(nominated, subdomainName, "status.nominatedNodeName", errors);
    if (textAt(objectAt(old, "spec"), "nodeName") !== "")
      errors.push(forbidden("status.nominatedNodeName", "may not be set on pods that are already bound to a node"));
  }
  if (textAt(status, "qosClass") !== textAt(before, "qosClass"))
    errors.push(invalid("status.qosClass", textAt(status, "qosClass"), immutable));
  checkTransitions(status, before, objectAt(old, "spec"), errors);
  checkAddresses(status, errors);
  return errors;
}

/** A container that terminated and is not restarted stays terminated. */
function checkTransitions(status: JsonObject, old: JsonObject, spec: JsonObject, errors: Errors): void {
  const policy = textAt(spec, "restartPolicy");
  if (policy === "Always") return;
  for (const [before, at] of entriesAt(old, "containerStatuses", "status")) {
    const ended = partAt(objectAt(before, "state"), "terminated");
    if (!ended || (numberAt(ended, "exitCode") !== 0 && policy === "OnFailure")) continue;
    for (const [now] of entriesAt(status, "containerStatuses", "status"))
      if (textAt(now, "name") === textAt(before, "name") && !partAt(objectAt(now, "state"), "terminated"))
        errors.push(forbidden(`${at}.state`, "may not be transitioned to non-terminated state"));
  }
}

function checkAddresses(status: JsonObject, errors: Errors): void {
  for (const [kind, single] of [
    ["podIPs", "podIP"],
    ["hostIPs", "hostIP"],
  ] as const) {
    const field = `status.${kind}`;
    const addresses = [...entriesAt(status, kind, "status")].map(([one]) => textAt(one, "ip"));
    if (kind === "hostIPs" && addresses.length > 0 && addresses[0] !== textAt(status, single))
      errors.push(invalid(`${field}[0].ip`, addresses[0] ?? "", "must be equal to `hostIP`"));
    for (const [index, address] of addresses.entries()) checkName(address, ipAddress, `${field}[${index}]`, errors);
    const families = new Set(addresses.map((address) => address.includes(":")));
    if (addresses.length > 1 && (addresses.length > 2 || families.size < 2))
      errors.push(invalid(field, listAt(status, kind), "may specify no more than one IP for each IP family"));
  }
}
