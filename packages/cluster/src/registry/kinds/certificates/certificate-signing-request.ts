import { duplicate, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type {
  CertificateSigningRequest,
  CertificateSigningRequestSpec,
  CertificateSigningRequestStatus,
} from "kubewright/k8s/certificates/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { childDraft, keepFrom } from "../../draft.js";
import { humanDuration } from "../../human-duration.js";
import { pathSegmentName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import type { Errors } from "../../validation/index.js";
import { checkSignerName } from "./signer-names.js";

type SigningRequest = Decoded<CertificateSigningRequest>;
type Status = Decoded<CertificateSigningRequestStatus>;

const approvalConditions = ["Approved", "Denied"];

/** CertificateSigningRequest. `/approval` writes the Approved and Denied conditions, `/status` the certificate. */
export const certificateSigningRequestStrategy: Strategy<CertificateSigningRequest> = {
  nameRule: pathSegmentName,
  allowUnconditionalUpdate: true,
  prepareForCreate(draft, { user }) {
    draft.status = {};
    // The server sets the requester from the authenticated user.
    const { uid: _, extra: __, ...spec } = draft.spec ?? {};
    draft.spec = { ...spec, username: user.name, groups: [...user.groups] };
    if (user.uid !== "") draft.spec.uid = user.uid;
    if (Object.keys(user.extra).length > 0)
      draft.spec.extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
  },
  prepareForUpdate(draft, old, { subresource, time }) {
    // The spec is immutable.
    keepFrom(draft, old, "spec");
    const status = childDraft(draft, "status");
    const before = old.status ?? {};
    if (subresource === "") keepFrom(draft, old, "status");
    else if (subresource === "approval") {
      keepFrom(status, before, "certificate");
      setConditionTimes(status, before, time);
    } else if (subresource === "status") {
      keepApproval(status, before);
      setConditionTimes(status, before, time);
    }
  },
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    if (!old) checkRequest(object.spec ?? {}, errors);
    else if (subresource === "approval") checkApproval(object, old, errors);
    else if (subresource === "status") checkApprovalUnchanged(object, old, errors);
    return errors;
  },
  fields: {
    reset: [["spec"]],
  },
  selectableFields: { "spec.signerName": ({ spec }) => spec?.signerName ?? "" },
  table: {
    columns: [
      nameColumn,
      ageColumn,
      { name: "SignerName", type: "string", cell: (one) => one.spec?.signerName || "<none>" },
      { name: "Requestor", type: "string", cell: (one) => one.spec?.username ?? "" },
      {
        name: "RequestedDuration",
        type: "string",
        cell(one) {
          const seconds = one.spec?.expirationSeconds;
          return seconds === undefined ? "<none>" : humanDuration(seconds * 1000);
        },
      },
      { name: "Condition", type: "string", cell: conditionOf },
    ],
  },
};

/** Sets the times of new conditions. */
function setConditionTimes(status: Drafted<CertificateSigningRequestStatus>, before: Status, time: string): void {
  const known = typesOf(before);
  for (const condition of status.conditions ?? []) {
    if (known.includes(condition.type ?? "")) continue;
    condition.lastUpdateTime ??= time;
    condition.lastTransitionTime ??= time;
  }
}

const usages: readonly string[] = [
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

function checkRequest(spec: Decoded<CertificateSigningRequestSpec>, errors: Errors): void {
  const pem = Buffer.from(spec.request ?? "", "base64").toString("latin1");
  if (!/-----BEGIN CERTIFICATE REQUEST-----[\s\S]+-----END CERTIFICATE REQUEST-----/.test(pem))
    errors.push(invalid("spec.request", spec.request ?? null, "PEM block type must be CERTIFICATE REQUEST"));
  const requested = spec.usages ?? [];
  if (requested.length === 0) errors.push(required("spec.usages"));
  for (const [index, usage] of requested.entries())
    if (!usages.includes(usage)) errors.push(notSupported(`spec.usages[${index}]`, usage, usages));
  for (const [index, usage] of requested.entries())
    if (requested.indexOf(usage) < index) errors.push(duplicate(`spec.usages[${index}]`, usage));
  checkSignerName(spec.signerName ?? "", "spec.signerName", errors);
  const seconds = spec.expirationSeconds;
  if (seconds !== undefined && seconds < 600)
    errors.push(
      invalid("spec.expirationSeconds", seconds, "may not specify a duration less than 600 seconds (10 minutes)"),
    );
}

function typesOf({ conditions = [] }: Status = {}): string[] {
  return conditions.map((condition) => condition.type ?? "");
}

/** `/status` may not change the Approved and Denied conditions. */
function checkApprovalUnchanged(object: SigningRequest, old: SigningRequest, errors: Errors): void {
  const [now, before] = [typesOf(object.status), typesOf(old.status)];
  for (const type of approvalConditions) {
    if (now.includes(type) === before.includes(type)) continue;
    const change = now.includes(type) ? "add" : "remove";
    errors.push(
      forbidden("status.conditions", `updates may not ${change} a condition of type ${JSON.stringify(type)}`),
    );
  }
}

/** Restores, in place, the Approved and Denied conditions; validation rejects added and removed ones. */
function keepApproval(status: Drafted<CertificateSigningRequestStatus>, before: Status): void {
  const conditions = status.conditions ?? [];
  for (const type of approvalConditions) {
    const earlier = before.conditions?.filter((condition) => condition.type === type) ?? [];
    if (conditions.filter((condition) => condition.type === type).length !== earlier.length) continue;
    for (const [index, condition] of conditions.entries())
      if (condition.type === type) conditions[index] = { ...earlier.shift() };
  }
}

function checkApproval(object: SigningRequest, old: SigningRequest, errors: Errors): void {
  const now = typesOf(object.status);
  for (const type of typesOf(old.status))
    if (!now.includes(type))
      errors.push(forbidden("status.conditions", `updates may not remove a condition of type ${JSON.stringify(type)}`));
  if (approvalConditions.every((type) => now.includes(type)))
    errors.push(
      invalid(
        "status.conditions",
        now.findLast((type) => approvalConditions.includes(type)) ?? "",
        "Approved and Denied conditions are mutually exclusive",
      ),
    );
}

function conditionOf({ status }: SigningRequest): string {
  const types = typesOf(status);
  const shown = ["Approved", "Denied", "Failed"].filter((type) => types.includes(type));
  if (shown.length === 0) return "Pending";
  return [...shown, ...(status?.certificate ? ["Issued"] : [])].join(",");
}
