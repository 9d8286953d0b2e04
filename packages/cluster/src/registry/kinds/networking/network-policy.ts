import { forbidden, invalid, required } from "@kubewright/core/schema";
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "kubewright/k8s/networking/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import {
  checkLabelSelector,
  checkName,
  checkOptionalEnum,
  checkPortNumber,
  cidrValue,
  cidrWarnings,
  containsCidr,
  type Errors,
  entriesAt,
  parseCidr,
  portName,
  printSelector,
} from "../../validation/index.js";

/** NetworkPolicy. */
export const networkPolicyStrategy: Strategy<NetworkPolicy> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  isNewGeneration: differsOutsideStatus,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])])
      for (const port of rule.ports ?? []) port.protocol ||= "TCP";
    if (!spec.policyTypes?.length) spec.policyTypes = spec.egress?.length ? ["Ingress", "Egress"] : ["Ingress"];
  },
  validate(object) {
    const errors: Errors = [];
    const spec = object.spec ?? {};
    checkLabelSelector(spec.podSelector, "spec.podSelector", errors);
    for (const direction of ["ingress", "egress"] as const)
      for (const [rule, at] of entriesAt(spec, direction, "spec"))
        for (const [port, place] of entriesAt(rule, "ports", at)) checkPort(port, place, errors);
    for (const [peer, at] of peersOf(spec)) checkPeer(peer, at, errors);
    const types = spec.policyTypes ?? [];
    if (types.length > 2) errors.push(invalid("spec.policyTypes", types, "may not specify more than two policyTypes"));
    else
      for (const [type, at] of entriesAt(spec, "policyTypes", "spec"))
        checkOptionalEnum(type, ["Ingress", "Egress"], at, errors);
    return errors;
  },
  warn: ({ spec = {} }) => peersOf(spec).flatMap(([{ ipBlock = {} }, at]) => blockWarnings(ipBlock, `${at}.ipBlock`)),
  table: {
    columns: [
      nameColumn,
      { name: "Pod-Selector", type: "string", cell: ({ spec }) => printSelector(spec?.podSelector) },
      ageColumn,
    ],
  },
};

/** The peers of all rules, with their paths. */
function peersOf(spec: Decoded<NetworkPolicySpec>): (readonly [peer: Decoded<NetworkPolicyPeer>, at: string])[] {
  return [
    ...entriesAt(spec, "ingress", "spec").flatMap(([rule, at]) => entriesAt(rule, "from", at)),
    ...entriesAt(spec, "egress", "spec").flatMap(([rule, at]) => entriesAt(rule, "to", at)),
  ];
}

function blockWarnings(block: Decoded<IPBlock>, field: string): string[] {
  const excepted = entriesAt(block, "except", field).flatMap(([range, at]) => cidrWarnings(at, range));
  return [...cidrWarnings(`${field}.cidr`, block.cidr ?? ""), ...excepted];
}

function checkPort({ protocol, port, endPort: end }: Decoded<NetworkPolicyPort>, at: string, errors: Errors): void {
  checkOptionalEnum(protocol, ["TCP", "UDP", "SCTP"], `${at}.protocol`, errors);
  if (typeof port === "number") {
    checkPortNumber(port, `${at}.port`, errors);
    if (end === undefined) return;
    if (end < port) errors.push(invalid(`${at}.endPort`, end, "must be greater than or equal to `port`"));
    checkPortNumber(end, `${at}.endPort`, errors);
    return;
  }
  if (end !== undefined)
    errors.push(
      invalid(
        `${at}.endPort`,
        end,
        `may not be specified when \`port\` is ${typeof port === "string" ? "non-numeric" : "not specified"}`,
      ),
    );
  if (typeof port === "string") checkName(port, portName, `${at}.port`, errors);
}

function checkPeer(peer: Decoded<NetworkPolicyPeer>, at: string, errors: Errors): void {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  checkLabelSelector(podSelector, `${at}.podSelector`, errors);
  checkLabelSelector(namespaceSelector, `${at}.namespaceSelector`, errors);
  if (ipBlock) checkBlock(ipBlock, `${at}.ipBlock`, errors);
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (ipBlock && selects) errors.push(forbidden(at, "may not specify both ipBlock and another peer"));
  else if (!ipBlock && !selects) errors.push(required(at, "must specify a peer"));
}

function checkBlock(block: Decoded<IPBlock>, field: string, errors: Errors): void {
  const { cidr } = block;
  if (!cidr) return void errors.push(required(`${field}.cidr`));
  checkName(cidr, cidrValue, `${field}.cidr`, errors);
  const outer = parseCidr(cidr);
  if (!outer) return;
  for (const [range, at] of entriesAt(block, "except", field)) {
    checkName(range, cidrValue, at, errors);
    const inner = parseCidr(range);
    if (inner && (!containsCidr(outer, inner) || inner.bits === outer.bits))
      errors.push(invalid(at, range, "must be a strict subset of `cidr`"));
  }
}
