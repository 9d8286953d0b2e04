import type { JsonObject } from "@kubewright/core/json";
import { invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, numberAt, objectAt, partAt, textAt } from "../../draft.js";
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
export type SourceCheck = (part: JsonObject, at: string, errors: Errors) => void;

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

function need(...keys: string[]): SourceCheck {
  return (part, at, errors) => checkPresent(part, keys, at, errors);
}

/** Validates an optional secretRef, with a namespace if `hasNamespace`. */
function checkSecret(part: JsonObject, at: string, hasNamespace: boolean, errors: Errors): void {
  const secret = partAt(part, "secretRef");
  if (secret !== undefined)
    checkPresent(secret, hasNamespace ? ["name", "namespace"] : ["name"], `${at}.secretRef`, errors);
}

function checkPartition(part: JsonObject, at: string, errors: Errors): void {
  const number = numberAt(part, "partition");
  if (number < 0 || number > 255)
    errors.push(invalid(`${at}.partition`, number, "must be between 1 and 255, inclusive"));
}

function checkUnit(part: JsonObject, at: string, errors: Errors): void {
  const number = numberAt(part, "lun");
  if (number < 0 || number > 255) errors.push(invalid(`${at}.lun`, number, "must be between 0 and 255, inclusive"));
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

/** The message for a volume name and portal that are too long together. */
export const longPortal =
  "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";

/** Validates an iSCSI source. `volumeName` is undefined in pods. */
export function checkIscsi(part: JsonObject, at: string, volumeName: string | undefined, errors: Errors): void {
  const isPod = volumeName === undefined;
  checkPresent(part, ["targetPortal"], at, errors);
  const initiator = part["initiatorName"];
  const portal = textAt(part, "targetPortal");
  if (!isPod && initiator !== undefined && `${volumeName}:${portal}`.length > 64)
    errors.push(invalid(`${at}.targetportal`, portal, longPortal));
  checkPresent(part, ["iqn"], at, errors);
  if (textAt(part, "iqn") !== "") checkIscsiName(textAt(part, "iqn"), `${at}.iqn`, isPod, errors);
  checkUnit(part, at, errors);
  const hasPassword = part["chapAuthDiscovery"] === true || part["chapAuthSession"] === true;
  if (hasPassword && partAt(part, "secretRef") === undefined) errors.push(required(`${at}.secretRef`));
  if (!isPod) checkSecret(part, at, false, errors);
  if (typeof initiator === "string") checkIscsiName(initiator, `${at}.initiatorname`, isPod, errors);
}

function isHostAndPort(text: string): boolean {
  return /^(\[[^\][]*\]|[^\][:]*):[^\][:]*$/.test(text);
}

const disks = {
  managed: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
  blob: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",
};

/** The sources that pods and PersistentVolumes share. */
export const commonSources = {
  hostPath(part, at, errors) {
    if (textAt(part, "path") === "") return void errors.push(required(`${at}.path`));
    checkNoBacksteps(textAt(part, "path"), `${at}.path`, errors);
    checkOptionalEnum(part["type"], hostPathTypes, `${at}.type`, errors);
  },
  gcePersistentDisk(part, at, errors) {
    // kube-apiserver names the field differently here.
    const place = `${at.slice(0, -"gcePersistentDisk".length)}persistentDisk`;
    checkPresent(part, ["pdName"], place, errors);
    checkPartition(part, place, errors);
  },
  awsElasticBlockStore(part, at, errors) {
    checkPresent(part, ["volumeID"], at, errors);
    checkPartition(part, at, errors);
  },
  glusterfs: need("endpoints", "path"),
  flocker(part, at, errors) {
    const [name, id] = [textAt(part, "datasetName"), textAt(part, "datasetUUID")];
    if (name === "" && id === "") errors.push(required(at, "one of datasetName and datasetUUID is required"));
    if (name !== "" && id !== "")
      errors.push(invalid(at, "resource", "datasetName and datasetUUID can not be specified simultaneously"));
    if (name.includes("/")) errors.push(invalid(`${at}.datasetName`, name, "must not contain '/'"));
  },
  nfs(part, at, errors) {
    checkPresent(part, ["server", "path"], at, errors);
    if (!textAt(part, "path").startsWith("/"))
      errors.push(invalid(`${at}.path`, textAt(part, "path"), "must be an absolute path"));
  },
  rbd(part, at, errors) {
    if (listAt(part, "monitors").length === 0) errors.push(required(`${at}.monitors`));
    checkPresent(part, ["image"], at, errors);
  },
  quobyte(part, at, errors) {
    const pairs = "must be a host:port pair or multiple pairs separated by commas";
    const registry = textAt(part, "registry");
    if (registry === "") errors.push(required(`${at}.registry`, pairs));
    else if (textAt(part, "tenant").length >= 65)
      errors.push(required(`${at}.tenant`, "must be a UUID and may not exceed a length of 64 characters"));
    else
      for (const pair of registry.split(","))
        if (!isHostAndPort(pair)) errors.push(invalid(`${at}.registry`, registry, pairs));
    checkPresent(part, ["volume"], at, errors);
  },
  cephfs(part, at, errors) {
    if (listAt(part, "monitors").length === 0) errors.push(required(`${at}.monitors`));
  },
  fc(part, at, errors) {
    const [targets, ids] = [listAt(part, "targetWWNs"), listAt(part, "wwids")];
    const field = `${at}.targetWWNs`;
    if (targets.length + ids.length === 0)
      errors.push(required(field, "must specify either targetWWNs or wwids, but not both"));
    if (targets.length > 0 && ids.length > 0)
      errors.push(invalid(field, targets, "targetWWNs and wwids can not be specified simultaneously"));
    if (targets.length === 0) return;
    if (part["lun"] === undefined) errors.push(required(`${at}.lun`, "lun is required if targetWWNs is specified"));
    else checkUnit(part, at, errors);
  },
  flexVolume(part, at, errors) {
    checkPresent(part, ["driver"], at, errors);
    for (const key of Object.keys(objectAt(part, "options"))) {
      const domain = `.${(key.split("/")[0] ?? "").toLowerCase()}`;
      if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io"))
        errors.push(invalid(`${at}.options[${key}]`, key, "kubernetes.io and k8s.io namespaces are reserved"));
    }
  },
  vsphereVolume: need("volumePath"),
  photonPersistentDisk: need("pdID"),
  portworxVolume: need("volumeID"),
  azureDisk(part, at, errors) {
    checkPresent(part, ["diskName", "diskURI"], at, errors);
    checkOptionalEnum(part["cachingMode"], ["None", "ReadOnly", "ReadWrite"], `${at}.cachingMode`, errors);
    const { kind } = part;
    checkOptionalEnum(kind, ["Dedicated", "Managed", "Shared"], `${at}.kind`, errors);
    if (typeof kind !== "string") return;
    const place = textAt(part, "diskURI");
    if (kind === "Managed" && !place.startsWith("/subscriptions/"))
      errors.push(notSupported(`${at}.diskURI`, place, [disks.managed]));
    if (kind !== "Managed" && !place.startsWith("https://"))
      errors.push(notSupported(`${at}.diskURI`, place, [disks.blob]));
  },
  scaleIO: need("gateway", "system", "volumeName"),
} satisfies Readonly<Record<string, SourceCheck>>;

/** Sources of pods: the secret is in the namespace of the pod. */
export const podSources = {
  gitRepo(part, at, errors) {
    checkPresent(part, ["repository"], at, errors);
    checkDescendingPath(textAt(part, "directory"), `${at}.directory`, errors);
  },
  cinder: cinder(false),
  azureFile: need("secretName", "shareName"),
  storageos: storageos(false),
} satisfies Readonly<Record<string, SourceCheck>>;

/** Sources of PersistentVolumes: the secret may be in any namespace. */
export const volumeOnlySources = {
  glusterfs(part, at, errors) {
    commonSources.glusterfs(part, at, errors);
    const namespace = part["endpointsNamespace"];
    if (namespace === "")
      errors.push(
        invalid(
          `${at}.endpointsNamespace`,
          namespace,
          "if the endpointnamespace is set, it must be a valid namespace name",
        ),
      );
    else if (typeof namespace === "string") checkName(namespace, labelName, `${at}.endpointsNamespace`, errors);
  },
  cinder: cinder(true),
  azureFile(part, at, errors) {
    checkPresent(part, ["secretName", "shareName"], at, errors);
    if (part["secretNamespace"] === "") errors.push(required(`${at}.secretNamespace`));
  },
  local(part, at, errors) {
    if (textAt(part, "path") === "") errors.push(required(`${at}.path`));
    else checkNoBacksteps(textAt(part, "path"), `${at}.path`, errors);
  },
  storageos: storageos(true),
} satisfies Readonly<Record<string, SourceCheck>>;

/** Validates a secret reference of a CSI source. */
export function checkDriverSecret(part: JsonObject, key: string, at: string, errors: Errors): void {
  const secret = partAt(part, key);
  if (secret === undefined) return;
  checkRequiredName(textAt(secret, "name"), subdomainName, `${at}.${key}.name`, errors);
  checkRequiredName(textAt(secret, "namespace"), labelName, `${at}.${key}.namespace`, errors);
}

function cinder(hasNamespace: boolean): SourceCheck {
  return (part, at, errors) => {
    checkPresent(part, ["volumeID"], at, errors);
    checkSecret(part, at, hasNamespace, errors);
  };
}

function storageos(hasNamespace: boolean): SourceCheck {
  return (part, at, errors) => {
    checkRequiredName(textAt(part, "volumeName"), labelName, `${at}.volumeName`, errors);
    const namespace = textAt(part, "volumeNamespace");
    if (namespace !== "") checkName(namespace, labelName, `${at}.volumeNamespace`, errors);
    checkSecret(part, at, hasNamespace, errors);
  };
}
