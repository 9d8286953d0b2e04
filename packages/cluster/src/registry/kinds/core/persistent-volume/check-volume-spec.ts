import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, objectAt, partAt, textAt } from "../../../draft.js";
import { subdomainName } from "../../../name-rules.js";
import {
  checkDriverName,
  checkName,
  checkOptionalEnum,
  checkPresent,
  type Errors,
  quantityOf,
} from "../../../validation/index.js";
import { checkAccessModes } from "../persistent-volume-claim/check-claim-spec.js";
import { checkNodeSelector } from "../pod-spec/index.js";
import {
  checkDriverSecret,
  checkIscsi,
  commonSources,
  type SourceCheck,
  volumeOnlySources,
} from "../volume-sources.js";

const secretsOfDrivers = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

/** The volume sources, in the order of kube-apiserver. */
const sources: Readonly<Record<string, SourceCheck | undefined>> = {
  hostPath: commonSources.hostPath,
  gcePersistentDisk: commonSources.gcePersistentDisk,
  awsElasticBlockStore: commonSources.awsElasticBlockStore,
  glusterfs: volumeOnlySources.glusterfs,
  flocker: commonSources.flocker,
  nfs: commonSources.nfs,
  rbd: commonSources.rbd,
  quobyte: commonSources.quobyte,
  cephfs: commonSources.cephfs,
  // Needs the name of the volume.
  iscsi: undefined,
  cinder: volumeOnlySources.cinder,
  fc: commonSources.fc,
  flexVolume: commonSources.flexVolume,
  azureFile: volumeOnlySources.azureFile,
  vsphereVolume: commonSources.vsphereVolume,
  photonPersistentDisk: commonSources.photonPersistentDisk,
  portworxVolume: commonSources.portworxVolume,
  azureDisk: commonSources.azureDisk,
  scaleIO: commonSources.scaleIO,
  local: volumeOnlySources.local,
  storageos: volumeOnlySources.storageos,
  csi(part, at, errors) {
    checkDriverName(textAt(part, "driver"), `${at}.driver`, errors);
    checkPresent(part, ["volumeHandle"], at, errors);
    for (const key of secretsOfDrivers) checkDriverSecret(part, key, at, errors);
  },
};

/** The volume source of a PersistentVolumeSpec. */
export function sourceOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => Object.hasOwn(sources, key)));
}

/** Where a PersistentVolumeSpec stands. */
export interface VolumeSpecContext {
  readonly field: string;
  /** The name of the volume; empty for an inline one. */
  readonly name: string;
  /** Whether it is inline, as in a VolumeAttachment. */
  readonly isInline: boolean;
  readonly errors: Errors;
}

/** Validates a PersistentVolumeSpec. */
export function checkVolumeSpec(spec: JsonObject, context: VolumeSpecContext): void {
  const { field, isInline, errors } = context;
  const forbidInline = (key: string): void =>
    void errors.push(forbidden(`${field}.${key}`, "may not be specified in the context of inline volumes"));
  if (isInline) {
    if (partAt(spec, "claimRef") !== undefined) forbidInline("claimRef");
    if (Object.keys(objectAt(spec, "capacity")).length > 0) forbidInline("capacity");
    if (partAt(spec, "csi") === undefined)
      errors.push(required(`${field}.csi`, "has to be specified in the context of inline volumes"));
  }
  if (listAt(spec, "accessModes").length === 0) errors.push(required(`${field}.accessModes`));
  checkAccessModes(spec, field, errors);
  if (!isInline) checkCapacity(spec, `${field}.capacity`, errors);
  const policy = textAt(spec, "persistentVolumeReclaimPolicy");
  const policyField = `${field}.persistentVolumeReclaimPolicy`;
  if (!isInline) checkOptionalEnum(policy, ["Delete", "Recycle", "Retain"], policyField, errors);
  else if (policy !== "" && policy !== "Retain")
    errors.push(forbidden(policyField, "may only be Retain in the context of inline volumes"));
  const affinity = partAt(spec, "nodeAffinity");
  if (isInline && affinity !== undefined) forbidInline("nodeAffinity");
  const constraints = affinity && partAt(affinity, "required");
  if (!isInline && constraints) checkNodeSelector(constraints, `${field}.nodeAffinity.required`, errors);
  else if (!isInline && affinity)
    errors.push(required(`${field}.nodeAffinity.required`, "must specify required node constraints"));
  checkSource(spec, affinity !== undefined && !isInline, context);
  const path = textAt(objectAt(spec, "hostPath"), "path");
  if (/^\/(\.?\/)*\.?$/.test(path) && policy === "Recycle")
    errors.push(forbidden(policyField, "may not be 'recycle' for a hostPath mount of '/'"));
  const className = textAt(spec, "storageClassName");
  if (className !== "" && isInline) forbidInline("storageClassName");
  else if (className !== "") checkName(className, subdomainName, `${field}.storageClassName`, errors);
  checkMode(spec, context);
  if (!isInline) checkAttributes(spec, field, errors);
}

function checkCapacity(spec: JsonObject, field: string, errors: Errors): void {
  const capacity = objectAt(spec, "capacity");
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(required(field));
  if (names.length !== 1 || names[0] !== "storage")
    errors.push(notSupported(field, spec["capacity"] ?? null, ["storage"]));
  for (const name of names) {
    const amount = quantityOf(capacity[name]);
    if (amount.sign < 0)
      errors.push(invalid(`${field}[${name}]`, Number(amount.toUnits()), "must be a valid resource quantity"));
    if (amount.sign <= 0) errors.push(invalid(`${field}[${name}]`, amount.toString(), "must be greater than zero"));
  }
}

function checkSource(spec: JsonObject, hasAffinity: boolean, { field, name, errors }: VolumeSpecContext): void {
  let found = 0;
  for (const [key, check] of Object.entries(sources)) {
    const part = partAt(spec, key);
    if (part === undefined) continue;
    const at = `${field}.${key}`;
    // kube-apiserver allows this source beside others.
    if (found > 0 && key !== "flexVolume") {
      errors.push(forbidden(key === "cephfs" ? `${field}.cephFS` : at, "may not specify more than 1 volume type"));
      continue;
    }
    found++;
    if (check === undefined) checkIscsi(part, at, name, errors);
    else check(part, at, errors);
    if (key === "local" && !hasAffinity)
      errors.push(required(`${field}.nodeAffinity`, "Local volume requires node affinity"));
  }
  if (found === 0) errors.push(required(field, "must specify a volume type"));
}

function checkMode(spec: JsonObject, { field, isInline, errors }: VolumeSpecContext): void {
  const at = `${field}.volumeMode`;
  const mode = spec["volumeMode"];
  if (!isInline) checkOptionalEnum(mode, ["Block", "Filesystem"], at, errors);
  else if (typeof mode === "string" && mode !== "Filesystem")
    errors.push(forbidden(at, "may not specify volumeMode other than Filesystem in the context of inline volumes"));
}

function checkAttributes(spec: JsonObject, field: string, errors: Errors): void {
  const name = spec["volumeAttributesClassName"];
  if (typeof name !== "string") return;
  const at = `${field}.volumeAttributesClassName`;
  if (name === "") errors.push(required(at, "an empty string is disallowed"));
  else checkName(name, subdomainName, at, errors);
  if (partAt(spec, "csi") === undefined)
    errors.push(required(`${field}.csi`, "has to be specified when using volumeAttributesClassName"));
}
