import { duplicate, forbidden, invalid, required } from "@kubewright/core/schema";
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  EphemeralVolumeSource,
  KeyToPath,
  PodSpec,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  Volume,
} from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { labelName, subdomainName } from "../../../name-rules.js";
import {
  checkCsiDriverName,
  checkEnum,
  checkFileMode,
  checkFilePath,
  checkName,
  checkOneOf,
  checkPresent,
  checkRequiredName,
  checkTemplateMetadata,
  type Errors,
  entriesAt,
  quantityOf,
} from "../../../validation/index.js";
import { checkClaimSpec } from "../persistent-volume-claim/check-claim-spec.js";
import { checkIscsi, commonSources, longPortal, podSources, type SourceCheck } from "../volume-sources.js";
import { checkFieldReference, checkResourceReference, fileFields } from "./check-references.js";

/** Validates the volumes of a pod; returns the valid ones by name. `podName` is empty in templates. */
export function checkVolumes(
  spec: Decoded<PodSpec>,
  field: string,
  { podName, isPod, errors }: { readonly podName: string; readonly isPod: boolean; readonly errors: Errors },
): Map<string, Decoded<Volume>> {
  const valid = new Map<string, Decoded<Volume>>();
  const ephemeralPvcs = new Set<string>();
  if (podName !== "")
    for (const { name = "", ephemeral } of spec.volumes ?? []) if (ephemeral) ephemeralPvcs.add(`${podName}-${name}`);
  for (const [volume, at] of entriesAt(spec, "volumes", field)) {
    const { name = "" } = volume;
    const before = errors.length;
    checkSource(volume, {
      field: at,
      pvcName: podName === "" || name === "" ? "" : `${podName}-${name}`,
      isPod,
      errors,
    });
    checkRequiredName(name, labelName, `${at}.name`, errors);
    if (valid.has(name)) errors.push(duplicate(`${at}.name`, name));
    if (errors.length === before) valid.set(name, volume);
    const claim = volume.persistentVolumeClaim?.claimName ?? "";
    if (ephemeralPvcs.has(claim))
      errors.push(
        invalid(
          `${at}.persistentVolumeClaim.claimName`,
          claim,
          "must not reference a PVC that gets created for an ephemeral volume",
        ),
      );
  }
  return valid;
}

interface SourceContext {
  readonly field: string;
  /** The name of an ephemeral volume's PersistentVolumeClaim; empty in templates. */
  readonly pvcName: string;
  readonly isPod: boolean;
  readonly errors: Errors;
}

const tooMany = "may not specify more than 1 volume type";

function checkSource(volume: Decoded<Volume>, { field, pvcName, isPod, errors }: SourceContext): void {
  const by =
    <Part>(check: SourceCheck<Part>) =>
    (part: Part, at: string): void =>
      check(part, at, errors);
  const found = checkOneOf(
    volume,
    {
      emptyDir(part, at) {
        if (quantityOf(part.sizeLimit ?? "0").sign < 0)
          errors.push(forbidden(`${at}.sizeLimit`, "SizeLimit field must be a valid resource quantity"));
      },
      hostPath: by(commonSources.hostPath),
      gitRepo: by(podSources.gitRepo),
      gcePersistentDisk: by(commonSources.gcePersistentDisk),
      awsElasticBlockStore: by(commonSources.awsElasticBlockStore),
      secret(part, at) {
        checkPresent(part, ["secretName"], at, errors);
        checkFiles(part, at, errors);
      },
      nfs: by(commonSources.nfs),
      iscsi: (part, at) => checkIscsi(part, at, undefined, errors),
      glusterfs: by(commonSources.glusterfs),
      flocker: by(commonSources.flocker),
      persistentVolumeClaim: (part, at) => checkPresent(part, ["claimName"], at, errors),
      rbd: by(commonSources.rbd),
      cinder: by(podSources.cinder),
      cephfs: by(commonSources.cephfs),
      quobyte: by(commonSources.quobyte),
      downwardAPI(part, at) {
        checkFileMode(part, "defaultMode", at, errors);
        for (const [file] of entriesAt(part, "items", at)) checkDownwardFile(file, at, errors);
      },
      fc: by(commonSources.fc),
      flexVolume: by(commonSources.flexVolume),
      configMap(part, at) {
        checkPresent(part, ["name"], at, errors);
        checkFiles(part, at, errors);
      },
      azureFile: by(podSources.azureFile),
      vsphereVolume: by(commonSources.vsphereVolume),
      photonPersistentDisk: by(commonSources.photonPersistentDisk),
      portworxVolume: by(commonSources.portworxVolume),
      azureDisk: by(commonSources.azureDisk),
      storageos: by(podSources.storageos),
      projected: (part, at) => checkProjected(part, at, errors),
      scaleIO: by(commonSources.scaleIO),
      csi(part, at) {
        checkCsiDriverName(part.driver ?? "", `${at}.driver`, errors);
        const secret = part.nodePublishSecretRef;
        if (secret === undefined) return;
        if (!secret.name) errors.push(required(`${at}.nodePublishSecretRef.name`));
        // kube-apiserver omits the secret from this path.
        else checkName(secret.name, subdomainName, `${at}.name`, errors);
      },
      ephemeral(part, at) {
        checkClaimTemplate(part, at, errors);
        if (pvcName === "") return;
        for (const detail of subdomainName(pvcName))
          errors.push(invalid(`${field}.name`, volume.name ?? "", `PVC name ${JSON.stringify(pvcName)}: ${detail}`));
      },
      image(part, at) {
        if (isPod) checkPresent(part, ["reference"], at, errors);
        checkEnum(part.pullPolicy ?? "", ["Always", "IfNotPresent", "Never"], `${at}.pullPolicy`, errors);
      },
    },
    { field, tooMany, errors },
  );
  checkPortal(volume, field, errors);
  if (found === 0) errors.push(required(field, "must specify a volume type"));
}

function checkPortal({ name = "", iscsi }: Decoded<Volume>, field: string, errors: Errors): void {
  if (iscsi?.initiatorName === undefined) return;
  if (Buffer.byteLength(`${name}:${iscsi.targetPortal ?? ""}`) > 64)
    errors.push(invalid(`${field}.name`, name, longPortal));
}

type FilesOf = Pick<Decoded<ConfigMapVolumeSource>, "defaultMode" | "items">;

/** Validates the files of a ConfigMap or Secret volume. */
function checkFiles(part: FilesOf, field: string, errors: Errors): void {
  checkFileMode(part, "defaultMode", field, errors);
  for (const [item, at] of entriesAt(part, "items", field)) checkItem(item, at, errors);
}

function checkItem(item: Decoded<KeyToPath>, field: string, errors: Errors): void {
  checkPresent(item, ["key", "path"], field, errors);
  checkFilePath(item.path ?? "", `${field}.path`, errors);
  checkFileMode(item, "mode", field, errors);
}

/** Validates a downward API file. kube-apiserver reports the volume, not the file. */
function checkDownwardFile(file: Decoded<DownwardAPIVolumeFile>, field: string, errors: Errors): void {
  const { path = "", fieldRef, resourceFieldRef } = file;
  checkPresent(file, ["path"], field, errors);
  checkFilePath(path, `${field}.path`, errors);
  if (fieldRef) {
    checkFieldReference(fieldRef, fileFields, `${field}.fieldRef`, errors);
    if (resourceFieldRef)
      errors.push(invalid(field, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"));
  } else if (resourceFieldRef) checkResourceReference(resourceFieldRef, true, `${field}.resourceFieldRef`, errors);
  else errors.push(required(field, "one of fieldRef and resourceFieldRef is required"));
  checkFileMode(file, "mode", field, errors);
}

function checkProjected(projected: Decoded<ProjectedVolumeSource>, field: string, errors: Errors): void {
  checkFileMode(projected, "defaultMode", field, errors);
  const paths = new Set<string>();
  const checkUniquePath = (path: string, quoted: string): void => {
    if (path === "") return;
    if (paths.has(path)) errors.push(invalid(field, quoted, "conflicting duplicate paths"));
    paths.add(path);
  };
  for (const [source, at] of entriesAt(projected, "sources", field)) {
    for (const kind of ["secret", "configMap"] as const) {
      const part = source[kind];
      if (part === undefined) continue;
      checkPresent(part, ["name"], `${at}.${kind}`, errors);
      for (const [item, place] of entriesAt(part, "items", `${at}.${kind}`)) {
        checkItem(item, place, errors);
        checkUniquePath(item.path ?? "", part.name ?? "");
      }
    }
    for (const file of source.downwardAPI?.items ?? []) {
      checkDownwardFile(file, `${at}.downwardAPI`, errors);
      checkUniquePath(file.path ?? "", file.path ?? "");
    }
    if (source.serviceAccountToken) checkToken(source.serviceAccountToken, `${at}.serviceAccountToken`, field, errors);
    if (Object.keys(source).length > 1)
      errors.push(forbidden(at, "may not specify more than 1 volume type per source"));
  }
}

function checkToken(
  { expirationSeconds: seconds = 0, path }: Decoded<ServiceAccountTokenProjection>,
  at: string,
  field: string,
  errors: Errors,
): void {
  if (seconds < 600)
    errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes"));
  if (seconds > 2 ** 32)
    errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds"));
  if (!path) errors.push(required(`${field}.path`));
  else checkFilePath(path, `${field}.path`, errors);
}

function checkClaimTemplate(
  { volumeClaimTemplate: template }: Decoded<EphemeralVolumeSource>,
  field: string,
  errors: Errors,
): void {
  const at = `${field}.volumeClaimTemplate`;
  if (template === undefined) return void errors.push(required(at));
  checkTemplateMetadata(template.metadata ?? {}, `${at}.metadata`, errors);
  checkClaimSpec(template.spec ?? {}, `${at}.spec`, errors);
}
