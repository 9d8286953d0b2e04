import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import {
  childDraft,
  draftsIn,
  listAt,
  objectAt,
  optionalNumber,
  partAt,
  setDefault,
  textAt,
  textsAt,
} from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import { differsOutsideStatus } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import {
  addressRange,
  checkLabelSelector,
  checkName,
  checkOptionalEnum,
  checkPortNumber,
  containsRange,
  type Errors,
  entriesAt,
  parseRange,
  portName,
  printSelector,
  rangeWarnings,
} from "../../validation/index.js";

const peers = { ingress: "from", egress: "to" } as const;

/** NetworkPolicy. */
export const networkPolicyStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  isNewGeneration: differsOutsideStatus,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    for (const direction of Object.keys(peers))
      for (const rule of draftsIn(spec[direction]))
        for (const port of draftsIn(rule["ports"])) setDefault(port, "protocol", "TCP");
    if (listAt(spec, "policyTypes").length === 0)
      spec["policyTypes"] = ["Ingress", ...(listAt(spec, "egress").length > 0 ? ["Egress"] : [])];
  },
  validate(object) {
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    checkLabelSelector(spec["podSelector"], "spec.podSelector", errors);
    for (const [direction, side] of Object.entries(peers))
      for (const [rule, at] of entriesAt(spec, direction, "spec")) {
        for (const [port, place] of entriesAt(rule, "ports", at)) checkPort(port, place, errors);
        for (const [peer, place] of entriesAt(rule, side, at)) checkPeer(peer, place, errors);
      }
    const types = textsAt(spec, "policyTypes");
    if (types.length > 2) errors.push(invalid("spec.policyTypes", types, "may not specify more than two policyTypes"));
    else
      for (const [index, type] of types.entries())
        if (type !== "Ingress" && type !== "Egress")
          errors.push(notSupported(`spec.policyTypes[${index}]`, type, ["Ingress", "Egress"]));
    return errors;
  },
  warn: (object) =>
    Object.entries(peers).flatMap(([direction, side]) =>
      [...entriesAt(objectAt(object, "spec"), direction, "spec")].flatMap(([rule, at]) =>
        [...entriesAt(rule, side, at)].flatMap(([peer, place]) =>
          blockWarnings(objectAt(peer, "ipBlock"), `${place}.ipBlock`),
        ),
      ),
    ),
  table: {
    columns: [
      nameColumn,
      {
        name: "Pod-Selector",
        type: "string",
        cell: (object) => printSelector(objectAt(objectAt(object, "spec"), "podSelector")),
      },
      ageColumn,
    ],
  },
};

function blockWarnings(block: JsonObject, at: string): string[] {
  const excepted = textsAt(block, "except").flatMap((range, index) => rangeWarnings(`${at}.except[${index}]`, range));
  return [...rangeWarnings(`${at}.cidr`, textAt(block, "cidr")), ...excepted];
}

function checkPort(entry: JsonObject, at: string, errors: Errors): void {
  checkOptionalEnum(entry["protocol"], ["TCP", "UDP", "SCTP"], `${at}.protocol`, errors);
  const { port } = entry;
  const end = optionalNumber(entry, "endPort");
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

function checkPeer(peer: JsonObject, at: string, errors: Errors): void {
  let found = 0;
  for (const key of ["podSelector", "namespaceSelector"]) {
    if (!partAt(peer, key)) continue;
    found++;
    checkLabelSelector(peer[key], `${at}.${key}`, errors);
  }
  const block = partAt(peer, "ipBlock");
  if (block) checkBlock(block, `${at}.ipBlock`, errors);
  if (block && found > 0) errors.push(forbidden(at, "may not specify both ipBlock and another peer"));
  else if (!block && found === 0) errors.push(required(at, "must specify a peer"));
}

function checkBlock(block: JsonObject, field: string, errors: Errors): void {
  const range = textAt(block, "cidr");
  if (range === "") return void errors.push(required(`${field}.cidr`));
  checkName(range, addressRange, `${field}.cidr`, errors);
  const outer = parseRange(range);
  if (!outer) return;
  for (const [index, text] of textsAt(block, "except").entries()) {
    const at = `${field}.except[${index}]`;
    checkName(text, addressRange, at, errors);
    const inner = parseRange(text);
    if (inner && (!containsRange(outer, inner) || inner.bits === outer.bits))
      errors.push(invalid(at, text, "must be a strict subset of `cidr`"));
  }
}
