import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import {
  childDraft,
  type Draft,
  draftsIn,
  keepFrom,
  listAt,
  objectAt,
  optionalNumber,
  textAt,
  textsAt,
} from "../../draft.js";
import { humanDuration } from "../../human-duration.js";
import { pathSegmentName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import type { Errors } from "../../validation/index.js";
import { checkSignerName } from "./signer-names.js";

const verdicts = ["Approved", "Denied"];

/** CertificateSigningRequest: `/approval` writes the Approved and Denied conditions, `/status` the certificate. */
export const certificateSigningRequestStrategy: Strategy = {
  nameRule: pathSegmentName,
  allowUnconditionalUpdate: true,
  prepareForCreate(draft) {
    draft["status"] = {};
    // The server sets the requester; its only user is the administrator.
    const { uid: _, extra: __, ...spec } = childDraft(draft, "spec");
    draft["spec"] = { ...spec, username: "admin", groups: ["system:masters", "system:authenticated"] };
  },
  prepareForUpdate(draft, old, { subresource, time }) {
    // The spec is immutable.
    keepFrom(draft, old, "spec");
    const status = childDraft(draft, "status");
    const before = objectAt(old, "status");
    if (subresource === "") keepFrom(draft, old, "status");
    else if (subresource === "approval") {
      keepFrom(status, before, "certificate");
      stampNew(status, before, time);
    } else if (subresource === "status") {
      keepVerdicts(status, before);
      stampNew(status, before, time);
    }
  },
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    if (!old) checkRequest(objectAt(object, "spec"), errors);
    else if (subresource === "approval") checkVerdicts(object, old, errors);
    else if (subresource === "status") checkNoVerdict(object, old, errors);
    return errors;
  },
  fields: {
    reset: [["spec"]],
  },
  table: {
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
  },
};

/** Sets the times of a new condition. */
function stampNew(status: Draft, before: JsonObject, time: string): void {
  const known = listAt(before, "conditions").map((one) => (isJsonObject(one) ? textAt(one, "type") : ""));
  for (const condition of draftsIn(status["conditions"]))
    if (!known.includes(textAt(condition, "type")))
      for (const key of ["lastUpdateTime", "lastTransitionTime"]) condition[key] ??= time;
}

const usages = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

function checkRequest(spec: JsonObject, errors: Errors): void {
  const request = textAt(spec, "request");
  const pem = Buffer.from(request, "base64").toString("latin1");
  if (!/-----BEGIN CERTIFICATE REQUEST-----[\s\S]+-----END CERTIFICATE REQUEST-----/.test(pem))
    errors.push(
      invalid(
        "spec.request",
        typeof spec["request"] === "string" ? request : null,
        "PEM block type must be CERTIFICATE REQUEST",
      ),
    );
  const wanted = textsAt(spec, "usages");
  if (wanted.length === 0) errors.push(required("spec.usages"));
  for (const [index, usage] of wanted.entries())
    if (!usages.includes(usage)) errors.push(notSupported(`spec.usages[${index}]`, usage, usages));
  for (const [index, usage] of wanted.entries())
    if (wanted.indexOf(usage) < index) errors.push(duplicate(`spec.usages[${index}]`, usage));
  checkSignerName(textAt(spec, "signerName"), "spec.signerName", errors);
  const seconds = optionalNumber(spec, "expirationSeconds");
  if (seconds !== undefined && seconds < 600)
    errors.push(
      invalid("spec.expirationSeconds", seconds, "may not specify a duration less than 600 seconds (10 minutes)"),
    );
}

function typesOf(object: JsonObject): string[] {
  return listAt(objectAt(object, "status"), "conditions").map((one) => (isJsonObject(one) ? textAt(one, "type") : ""));
}

/** `/status` may not change the Approved and Denied conditions. */
function checkNoVerdict(object: JsonObject, old: JsonObject, errors: Errors): void {
  const [now, before] = [typesOf(object), typesOf(old)];
  for (const type of verdicts) {
    const word =
      now.includes(type) && !before.includes(type)
        ? "add"
        : !now.includes(type) && before.includes(type)
          ? "remove"
          : "";
    if (word !== "")
      errors.push(
        forbidden("status.conditions", `updates may not ${word} a condition of type ${JSON.stringify(type)}`),
      );
  }
}

/** Restores, in place, the Approved and Denied conditions; validation rejects added and removed ones. */
function keepVerdicts(status: Draft, before: JsonObject): void {
  const conditions = draftsIn(status["conditions"]);
  const earlier = listAt(before, "conditions").filter(isJsonObject);
  for (const type of verdicts) {
    const [now, then] = [conditions, earlier].map((list) => list.filter((one) => one["type"] === type));
    if (now === undefined || then === undefined || now.length !== then.length) continue;
    now.forEach((condition, index) => {
      conditions[conditions.indexOf(condition as Draft)] = (then[index] ?? {}) as Draft;
    });
  }
  if (conditions.length > 0) status["conditions"] = conditions;
}

function checkVerdicts(object: JsonObject, old: JsonObject, errors: Errors): void {
  const now = typesOf(object);
  for (const type of typesOf(old))
    if (!now.includes(type))
      errors.push(forbidden("status.conditions", `updates may not remove a condition of type ${JSON.stringify(type)}`));
  if (verdicts.every((type) => now.includes(type)))
    errors.push(
      invalid(
        "status.conditions",
        now.findLast((type) => verdicts.includes(type)) ?? "",
        "Approved and Denied conditions are mutually exclusive",
      ),
    );
}

function conditionOf(request: JsonObject): string {
  const status = objectAt(request, "status");
  const types = listAt(status, "conditions").map((one) => (isJsonObject(one) ? textAt(one, "type") : ""));
  const shown = ["Approved", "Denied", "Failed"].filter((type) => types.includes(type));
  if (shown.length === 0) return "Pending";
  return [...shown, ...(textAt(status, "certificate") === "" ? [] : ["Issued"])].join(",");
}
