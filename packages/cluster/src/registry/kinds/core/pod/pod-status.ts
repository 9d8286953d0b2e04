import { forbidden, invalid } from "@kubewright/core/schema";
import type { Pod, PodSpec, PodStatus } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { qualifiedName, subdomainName } from "../../../name-rules.js";
import { checkName, type Errors, entriesAt, immutable, ipAddress } from "../../../validation/index.js";

const systemConditions = ["PodScheduled", "Ready", "Initialized"];

/** Validates an update of a pod's status. */
export function checkPodStatus({ status = {} }: Decoded<Pod>, old: Decoded<Pod>): Errors {
  const errors: Errors = [];
  const { status: before = {}, spec = {} } = old;
  for (const [{ type = "" }, at] of entriesAt(status, "conditions", "status"))
    if (!systemConditions.includes(type)) checkName(type, qualifiedName, `${at}.Type`, errors);
  const { nominatedNodeName, qosClass = "" } = status;
  if (nominatedNodeName && nominatedNodeName !== before.nominatedNodeName) {
    checkName(nominatedNodeName, subdomainName, "status.nominatedNodeName", errors);
    if (spec.nodeName)
      errors.push(forbidden("status.nominatedNodeName", "may not be set on pods that are already bound to a node"));
  }
  if (qosClass !== (before.qosClass ?? "")) errors.push(invalid("status.qosClass", qosClass, immutable));
  checkTransitions(status, before, spec, errors);
  checkAddresses(status, errors);
  return errors;
}

/** A container that terminated and is not restarted stays terminated. */
function checkTransitions(
  status: Decoded<PodStatus>,
  old: Decoded<PodStatus>,
  { restartPolicy }: Decoded<PodSpec>,
  errors: Errors,
): void {
  if (restartPolicy === "Always") return;
  for (const [{ name, state }, at] of entriesAt(old, "containerStatuses", "status")) {
    const terminated = state?.terminated;
    if (!terminated || (terminated.exitCode && restartPolicy === "OnFailure")) continue;
    for (const now of status.containerStatuses ?? [])
      if (now.name === name && !now.state?.terminated)
        errors.push(forbidden(`${at}.state`, "may not be transitioned to non-terminated state"));
  }
}

function checkAddresses(status: Decoded<PodStatus>, errors: Errors): void {
  for (const kind of ["podIPs", "hostIPs"] as const) {
    const field = `status.${kind}`;
    const addresses = (status[kind] ?? []).map(({ ip = "" }) => ip);
    const [first] = addresses;
    if (kind === "hostIPs" && first !== undefined && first !== (status.hostIP ?? ""))
      errors.push(invalid(`${field}[0].ip`, first, "must be equal to `hostIP`"));
    for (const [index, address] of addresses.entries()) checkName(address, ipAddress, `${field}[${index}]`, errors);
    const families = new Set(addresses.map((address) => address.includes(":")));
    if (addresses.length > 1 && (addresses.length > 2 || families.size < 2))
      errors.push(invalid(field, status[kind] ?? [], "may specify no more than one IP for each IP family"));
  }
}
