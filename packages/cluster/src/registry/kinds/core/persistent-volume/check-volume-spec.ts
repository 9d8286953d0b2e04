import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type { CSIPersistentVolumeSource, PersistentVolumeSpec } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { partAt } from "../../../draft.js";
import { subdomainName } from "../../../name-rules.js";
import {
  checkCsiDriverName,
  checkName,
  checkOptionalEnum,
  checkPresent,
  type Errors,
  quantityOf,
} from "../../../validation/index.js";
import { checkAccessModes } from "../persistent-volume-claim/check-claim-spec.js";
import { checkNodeSelector } from "../pod-spec/index.js";
import {
  checkCsiSecret,
  checkIscsi,
  commonSources,
  persistentVolumeSources,
  type SourceCheck,
} from "../volume-sources.js";

type VolumeSpec = Decoded<PersistentVolumeSpec>;

const csiSecretRefs: readonly (keyof CSIPersistentVolumeSource)[] = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

/** The volume sources, in the order of kube-apiserver. */
const sources: { readonly [Source in keyof VolumeSpec]?: SourceCheck | undefined } = {
  hostPath: commonSources.hostPath,
  gcePersistentDisk: commonSources.gcePersistentDisk,
  awsElasticBlockStore: commonSources.awsElasticBlockStore,
  glusterfs: persistentVolumeSources.glusterfs,
  flocker: commonSources.flocker,
  nfs: commonSources.nfs,
  rbd: commonSources.rbd,
  quobyte: commonSources.quobyte,
  cephfs: commonSources.cephfs,
  // Validated by checkIscsi, which needs the name of the volume.
  iscsi: undefined,
  cinder: persistentVolumeSources.cinder,
  fc: commonSources.fc,
  flexVolume: commonSources.flexVolume,
  azureFile: persistentVolumeSources.azureFile,
  vsphereVolume: commonSources.vsphereVolume,
  photonPersistentDisk: commonSources.photonPersistentDisk,
  portworxVolume: commonSources.portworxVolume,
  azureDisk: commonSources.azureDisk,
  scaleIO: commonSources.scaleIO,
  local: persistentVolumeSources.local,
  storageos: persistentVolumeSources.storageos,
  csi(part: Decoded<CSIPersistentVolumeSource>, at, errors) {
    checkCsiDriverName(part.driver ?? "", `${at}.driver`, errors);
    checkPresent(part, ["volumeHandle"], at, errors);
    for (const key of csiSecretRefs) checkCsiSecret(part, key, at, errors);
  },
};

/** The volume source of a PersistentVolumeSpec. */
export function sourceOf(spec: VolumeSpec): VolumeSpec {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => Object.hasOwn(sources, key)));
}

/** The context of a PersistentVolumeSpec. */
export interface VolumeSpecContext {
  readonly field: string;
  /** The name of the volume; empty for an inline one. */
  readonly name: string;
  /** Whether it is inline, as in a VolumeAttachment. */
  readonly isInline: boolean;
  readonly errors: Errors;
}

/** Validates a PersistentVolumeSpec. */
export function checkVolumeSpec(spec: VolumeSpec, context: VolumeSpecContext): void {
  const { field, isInline, errors } = context;
  const forbidInline = (key: string): void =>
    void errors.push(forbidden(`${field}.${key}`, "may not be specified in the context of inline volumes"));
  if (isInline) {
    if (spec.claimRef) forbidInline("claimRef");
    if (spec.capacity) forbidInline("capacity");
    if (!spec.csi) errors.push(required(`${field}.csi`, "has to be specified in the context of inline volumes"));
  }
  if (!spec.accessModes) errors.push(required(`${field}.accessModes`));
  checkAccessModes(spec.accessModes, field, errors);
  if (!isInline) checkCapacity(spec.capacity, `${field}.capacity`, errors);
  const policy: string = spec.persistentVolumeReclaimPolicy ?? "";
  const policyField = `${field}.persistentVolumeReclaimPolicy`;
  if (!isInline) checkOptionalEnum(policy, ["Delete", "Recycle", "Retain"], policyField, errors);
  else if (policy !== "" && policy !== "Retain")
    errors.push(forbidden(policyField, "may only be Retain in the context of inline volumes"));
  const affinity = spec.nodeAffinity;
  if (isInline && affinity) forbidInline("nodeAffinity");
  if (!isInline && affinity?.required) checkNodeSelector(affinity.required, `${field}.nodeAffinity.required`, errors);
  else if (!isInline && affinity)
    errors.push(required(`${field}.nodeAffinity.required`, "must specify required node constraints"));
  checkSource(spec, affinity !== undefined && !isInline, context);
  const path = spec.hostPath?.path ?? "";
  if (/^\/(\.?\/)*\.?$/.test(path) && policy === "Recycle")
    errors.push(forbidden(policyField, "may not be 'recycle' for a hostPath mount of '/'"));
  const className = spec.storageClassName ?? "";
  if (className !== "" && isInline) forbidInline("storageClassName");
  else if (className !== "") checkName(className, subdomainName, `${field}.storageClassName`, errors);
  checkMode(spec, context);
  if (!isInline) checkAttributes(spec, field, errors);
}

function checkCapacity(capacity: VolumeSpec["capacity"], field: string, errors: Errors): void {
  const entries = Object.entries(capacity ?? {});
  if (entries.length === 0) errors.push(required(field));
  if (entries.length !== 1 || entries[0]?.[0] !== "storage")
    errors.push(notSupported(field, capacity ?? null, ["storage"]));
  for (const [name, value] of entries) {
    const quantity = quantityOf(value);
    if (quantity.sign < 0)
      errors.push(invalid(`${field}[${name}]`, Number(quantity.toUnits()), "must be a valid resource quantity"));
    if (quantity.sign <= 0) errors.push(invalid(`${field}[${name}]`, quantity.toString(), "must be greater than zero"));
  }
}

function checkSource(spec: VolumeSpec, hasAffinity: boolean, { field, name, errors }: VolumeSpecContext): void {
  let found = 0;
  for (const [key, check] of Object.entries(sources)) {
    const part = partAt(spec, key);
    if (part === undefined) continue;
    const at = `${field}.${key}`;
    // kube-apiserver allows flexVolume together with other sources.
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

function checkMode(spec: VolumeSpec, { field, isInline, errors }: VolumeSpecContext): void {
  const at = `${field}.volumeMode`;
  const mode = spec.volumeMode;
  if (!isInline) checkOptionalEnum(mode, ["Block", "Filesystem"], at, errors);
  else if (mode !== undefined && mode !== "Filesystem")
    errors.push(forbidden(at, "may not specify volumeMode other than Filesystem in the context of inline volumes"));
}

function checkAttributes(spec: VolumeSpec, field: string, errors: Errors): void {
  const name = spec.volumeAttributesClassName;
  if (name === undefined) return;
  const at = `${field}.volumeAttributesClassName`;
  if (name === "") errors.push(required(at, "an empty string is disallowed"));
  else checkName(name, subdomainName, at, errors);
  if (!spec.csi) errors.push(required(`${field}.csi`, "has to be specified when using volumeAttributesClassName"));
}
