import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { invalid, notSupported, required } from "@kubewright/core/schema";
import type {
  CinderPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  PersistentVolumeSpec,
  StorageOSPersistentVolumeSource,
  Volume,
} from "kubewright/k8s/core/v1";
import type { Decoded } from "../../decoded.js";
import { labelName, subdomainName } from "../../name-rules.js";
import {
  checkDescendingPath,
  checkName,
  checkNoBacksteps,
  checkOptionalEnum,
  checkPresent,
  checkRequiredName,
  type Errors,
} from "../../validation/index.js";

/** Validates one volume source. */
export type SourceCheck<Part = JsonObject> = (part: Part, at: string, errors: Errors) => void;

/** The validation of the volume sources of `Holder`, a pod volume or a PersistentVolumeSpec, by field. */
type SourceChecks<Holder> = { readonly [Key in keyof Holder]?: SourceCheck<NonNullable<Holder[Key]>> };

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

function requireFields<Part extends JsonObject>(...keys: (keyof Part & string)[]): SourceCheck<Part> {
  return (part, at, errors) => checkPresent(part, keys, at, errors);
}

/** A secretRef. It has no namespace if the Secret is in the namespace of the pod. */
interface SecretRef {
  readonly name?: string;
  readonly namespace?: string;
}

/** Validates an optional secretRef, with a namespace if `hasNamespace`. */
function checkSecret(secret: SecretRef | undefined, at: string, hasNamespace: boolean, errors: Errors): void {
  if (!secret) return;
  if (!secret.name) errors.push(required(`${at}.secretRef.name`));
  if (hasNamespace && !secret.namespace) errors.push(required(`${at}.secretRef.namespace`));
}

function checkPartition({ partition = 0 }: { readonly partition?: number }, at: string, errors: Errors): void {
  if (partition < 0 || partition > 255)
    errors.push(invalid(`${at}.partition`, partition, "must be between 1 and 255, inclusive"));
}

function checkLun({ lun = 0 }: { readonly lun?: number }, at: string, errors: Errors): void {
  if (lun < 0 || lun > 255) errors.push(invalid(`${at}.lun`, lun, "must be between 0 and 255, inclusive"));
}

const iscsiNames: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};

function checkIscsiName(name: string, field: string, isPod: boolean, errors: Errors): void {
  const pattern = iscsiNames[name.slice(0, 3)];
  if (pattern === undefined)
    errors.push(invalid(field, name, `must be valid format${isPod ? " starting with iqn, eui, or naa" : ""}`));
  else if (!pattern.test(name)) errors.push(invalid(field, name, "must be valid format"));
}

/** The error for a volume name and target portal that are too long together. */
export const longPortal =
  "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";

/** Validates an iSCSI source. `volumeName` is undefined in pods. */
export function checkIscsi(
  part: Decoded<ISCSIPersistentVolumeSource>,
  at: string,
  volumeName: string | undefined,
  errors: Errors,
): void {
  const { initiatorName, targetPortal = "", secretRef } = part;
  const isPod = volumeName === undefined;
  if (!isPod && initiatorName !== undefined && `${volumeName}:${targetPortal}`.length > 64)
    errors.push(invalid(`${at}.targetportal`, targetPortal, longPortal));
  checkPresent(part, ["targetPortal", "iqn"], at, errors);
  if (part.iqn) checkIscsiName(part.iqn, `${at}.iqn`, isPod, errors);
  checkLun(part, at, errors);
  if ((part.chapAuthDiscovery || part.chapAuthSession) && !secretRef) errors.push(required(`${at}.secretRef`));
  if (!isPod) checkSecret(secretRef, at, false, errors);
  if (initiatorName !== undefined) checkIscsiName(initiatorName, `${at}.initiatorname`, isPod, errors);
}

function isHostAndPort(value: string): boolean {
  return /^(\[[^\][]*\]|[^\][:]*):[^\][:]*$/.test(value);
}

const disks = {
  managed: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
  blob: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",
};

/** The volume sources that pods and PersistentVolumes share. */
export const commonSources = {
  hostPath(part, at, errors) {
    if (!part.path) return void errors.push(required(`${at}.path`));
    checkNoBacksteps(part.path, `${at}.path`, errors);
    checkOptionalEnum(part.type, hostPathTypes, `${at}.type`, errors);
  },
  gcePersistentDisk(part, at, errors) {
    // kube-apiserver reports another field name here.
    const place = `${at.slice(0, -"gcePersistentDisk".length)}persistentDisk`;
    checkPresent(part, ["pdName"], place, errors);
    checkPartition(part, place, errors);
  },
  awsElasticBlockStore(part, at, errors) {
    checkPresent(part, ["volumeID"], at, errors);
    checkPartition(part, at, errors);
  },
  glusterfs: requireFields("endpoints", "path"),
  flocker({ datasetName: name = "", datasetUUID: id = "" }, at, errors) {
    if (name === "" && id === "") errors.push(required(at, "one of datasetName and datasetUUID is required"));
    if (name !== "" && id !== "")
      errors.push(invalid(at, "resource", "datasetName and datasetUUID can not be specified simultaneously"));
    if (name.includes("/")) errors.push(invalid(`${at}.datasetName`, name, "must not contain '/'"));
  },
  nfs(part, at, errors) {
    checkPresent(part, ["server", "path"], at, errors);
    const { path = "" } = part;
    if (!path.startsWith("/")) errors.push(invalid(`${at}.path`, path, "must be an absolute path"));
  },
  rbd(part, at, errors) {
    if (!part.monitors?.length) errors.push(required(`${at}.monitors`));
    checkPresent(part, ["image"], at, errors);
  },
  quobyte(part, at, errors) {
    const pairs = "must be a host:port pair or multiple pairs separated by commas";
    const { registry = "", tenant = "" } = part;
    if (registry === "") errors.push(required(`${at}.registry`, pairs));
    else if (tenant.length >= 65)
      errors.push(required(`${at}.tenant`, "must be a UUID and may not exceed a length of 64 characters"));
    else
      for (const pair of registry.split(","))
        if (!isHostAndPort(pair)) errors.push(invalid(`${at}.registry`, registry, pairs));
    checkPresent(part, ["volume"], at, errors);
  },
  cephfs(part, at, errors) {
    if (!part.monitors?.length) errors.push(required(`${at}.monitors`));
  },
  fc(part, at, errors) {
    const { targetWWNs: targets = [], wwids: ids = [] } = part;
    const field = `${at}.targetWWNs`;
    if (targets.length + ids.length === 0)
      errors.push(required(field, "must specify either targetWWNs or wwids, but not both"));
    if (targets.length > 0 && ids.length > 0)
      errors.push(invalid(field, targets, "targetWWNs and wwids can not be specified simultaneously"));
    if (targets.length === 0) return;
    if (part.lun === undefined) errors.push(required(`${at}.lun`, "lun is required if targetWWNs is specified"));
    else checkLun(part, at, errors);
  },
  flexVolume(part, at, errors) {
    checkPresent(part, ["driver"], at, errors);
    for (const key of Object.keys(part.options ?? {})) {
      const domain = `.${(key.split("/")[0] ?? "").toLowerCase()}`;
      if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io"))
        errors.push(invalid(`${at}.options[${key}]`, key, "kubernetes.io and k8s.io namespaces are reserved"));
    }
  },
  vsphereVolume: requireFields("volumePath"),
  photonPersistentDisk: requireFields("pdID"),
  portworxVolume: requireFields("volumeID"),
  azureDisk(part, at, errors) {
    checkPresent(part, ["diskName", "diskURI"], at, errors);
    checkOptionalEnum(part.cachingMode, ["None", "ReadOnly", "ReadWrite"], `${at}.cachingMode`, errors);
    const { kind, diskURI: place = "" } = part;
    checkOptionalEnum(kind, ["Dedicated", "Managed", "Shared"], `${at}.kind`, errors);
    if (kind === "Managed" && !place.startsWith("/subscriptions/"))
      errors.push(notSupported(`${at}.diskURI`, place, [disks.managed]));
    if (kind !== undefined && kind !== "Managed" && !place.startsWith("https://"))
      errors.push(notSupported(`${at}.diskURI`, place, [disks.blob]));
  },
  scaleIO: requireFields("gateway", "system", "volumeName"),
} satisfies SourceChecks<Decoded<Volume>>;

/** Volume sources of pods: Secrets are in the namespace of the pod. */
export const podSources = {
  gitRepo(part, at, errors) {
    checkPresent(part, ["repository"], at, errors);
    checkDescendingPath(part.directory ?? "", `${at}.directory`, errors);
  },
  cinder: cinder(false),
  azureFile: requireFields("secretName", "shareName"),
  storageos: storageos(false),
} satisfies SourceChecks<Decoded<Volume>>;

/** Volume sources of PersistentVolumes: Secrets may be in any namespace. */
export const persistentVolumeSources = {
  glusterfs(part, at, errors) {
    commonSources.glusterfs(part, at, errors);
    const namespace = part.endpointsNamespace;
    if (namespace === "")
      errors.push(
        invalid(
          `${at}.endpointsNamespace`,
          namespace,
          "if the endpointnamespace is set, it must be a valid namespace name",
        ),
      );
    else if (namespace !== undefined) checkName(namespace, labelName, `${at}.endpointsNamespace`, errors);
  },
  cinder: cinder(true),
  azureFile(part, at, errors) {
    checkPresent(part, ["secretName", "shareName"], at, errors);
    if (part.secretNamespace === "") errors.push(required(`${at}.secretNamespace`));
  },
  local(part, at, errors) {
    if (!part.path) errors.push(required(`${at}.path`));
    else checkNoBacksteps(part.path, `${at}.path`, errors);
  },
  storageos: storageos(true),
} satisfies SourceChecks<Decoded<PersistentVolumeSpec>>;

/** Validates a secret reference of a CSI source. */
export function checkCsiSecret<Part extends JsonObject>(
  part: Part,
  key: keyof Part & string,
  at: string,
  errors: Errors,
): void {
  const secret: JsonValue | undefined = part[key];
  if (!isJsonObject(secret)) return;
  const { name = "", namespace = "" }: SecretRef = secret;
  checkRequiredName(name, subdomainName, `${at}.${key}.name`, errors);
  checkRequiredName(namespace, labelName, `${at}.${key}.namespace`, errors);
}

function cinder(hasNamespace: boolean): SourceCheck<Decoded<CinderPersistentVolumeSource>> {
  return (part, at, errors) => {
    checkPresent(part, ["volumeID"], at, errors);
    checkSecret(part.secretRef, at, hasNamespace, errors);
  };
}

function storageos(hasNamespace: boolean): SourceCheck<Decoded<StorageOSPersistentVolumeSource>> {
  return ({ volumeName = "", volumeNamespace, secretRef }, at, errors) => {
    checkRequiredName(volumeName, labelName, `${at}.volumeName`, errors);
    if (volumeNamespace) checkName(volumeNamespace, labelName, `${at}.volumeNamespace`, errors);
    checkSecret(secretRef, at, hasNamespace, errors);
  };
}
