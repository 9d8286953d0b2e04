import type { JsonObject } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, required } from "@kubewright/core/schema";
import { numberAt, partAt, textAt } from "../../../draft.js";
import { labelName, subdomainName } from "../../../name-rules.js";
import {
  checkDriverName,
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
import { checkAmountReference, checkFieldReference, fileFields } from "./check-references.js";

/** Validates the volumes of a pod; gives the valid ones by name. `podName` is empty in templates. */
export function checkVolumes(
  spec: JsonObject,
  field: string,
  { podName, isPod, errors }: { readonly podName: string; readonly isPod: boolean; readonly errors: Errors },
): Map<string, JsonObject> {
  const right = new Map<string, JsonObject>();
  const made = new Set<string>();
  if (podName !== "")
    for (const [volume] of entriesAt(spec, "volumes", field))
      if (partAt(volume, "ephemeral") !== undefined) made.add(`${podName}-${textAt(volume, "name")}`);
  for (const [volume, at] of entriesAt(spec, "volumes", field)) {
    const name = textAt(volume, "name");
    const before = errors.length;
    checkSource(volume, {
      field: at,
      pvcName: podName === "" || name === "" ? "" : `${podName}-${name}`,
      isPod,
      errors,
    });
    checkRequiredName(name, labelName, `${at}.name`, errors);
    if (right.has(name)) errors.push(duplicate(`${at}.name`, name));
    if (errors.length === before) right.set(name, volume);
    const claim = textAt(partAt(volume, "persistentVolumeClaim") ?? {}, "claimName");
    if (made.has(claim))
      errors.push(
        invalid(
          `${at}.persistentVolumeClaim.claimName`,
          claim,
          "must not reference a PVC that gets created for an ephemeral volume",
        ),
      );
  }
  return right;
}

interface SourceContext {
  readonly field: string;
  /** The name of an ephemeral volume's PersistentVolumeClaim; empty in templates. */
  readonly pvcName: string;
  readonly isPod: boolean;
  readonly errors: Errors;
}

const tooMany = "may not specify more than 1 volume type";

type Check = (part: JsonObject, at: string) => void;

function checkSource(volume: JsonObject, { field, pvcName, isPod, errors }: SourceContext): void {
  const by =
    (check: SourceCheck): Check =>
    (part, at) =>
      check(part, at, errors);
  const found = checkOneOf(
    volume,
    {
      emptyDir(part, at) {
        if (quantityOf(part["sizeLimit"] ?? "0").sign < 0)
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
        for (const [file] of entriesAt(part, "items", at)) checkPodFile(file, at, errors);
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
        checkDriverName(textAt(part, "driver"), `${at}.driver`, errors);
        const secret = partAt(part, "nodePublishSecretRef");
        if (secret === undefined) return;
        if (textAt(secret, "name") === "") errors.push(required(`${at}.nodePublishSecretRef.name`));
        // kube-apiserver omits the secret from this path.
        else checkName(textAt(secret, "name"), subdomainName, `${at}.name`, errors);
      },
      ephemeral(part, at) {
        checkClaimTemplate(part, at, errors);
        if (pvcName === "") return;
        for (const detail of subdomainName(pvcName))
          errors.push(
            invalid(`${field}.name`, textAt(volume, "name"), `PVC name ${JSON.stringify(pvcName)}: ${detail}`),
          );
      },
      image(part, at) {
        if (isPod) checkPresent(part, ["reference"], at, errors);
        checkEnum(textAt(part, "pullPolicy"), ["Always", "IfNotPresent", "Never"], `${at}.pullPolicy`, errors);
      },
    },
    { field, tooMany, errors },
  );
  checkPortal(volume, field, errors);
  if (found === 0) errors.push(required(field, "must specify a volume type"));
}

function checkPortal(volume: JsonObject, field: string, errors: Errors): void {
  const disk = partAt(volume, "iscsi");
  if (disk?.["initiatorName"] === undefined) return;
  const name = textAt(volume, "name");
  if (Buffer.byteLength(`${name}:${textAt(disk, "targetPortal")}`) > 64)
    errors.push(invalid(`${field}.name`, name, longPortal));
}

/** Validates the files of a ConfigMap or Secret volume. */
function checkFiles(part: JsonObject, field: string, errors: Errors): void {
  checkFileMode(part, "defaultMode", field, errors);
  for (const [item, at] of entriesAt(part, "items", field)) checkItem(item, at, errors);
}

function checkItem(item: JsonObject, field: string, errors: Errors): void {
  checkPresent(item, ["key", "path"], field, errors);
  checkFilePath(textAt(item, "path"), `${field}.path`, errors);
  checkFileMode(item, "mode", field, errors);
}

/** Validates a downward API file. kube-apiserver names the volume, not the file. */
function checkPodFile(file: JsonObject, field: string, errors: Errors): void {
  checkPresent(file, ["path"], field, errors);
  checkFilePath(textAt(file, "path"), `${field}.path`, errors);
  const reference = partAt(file, "fieldRef");
  const amount = partAt(file, "resourceFieldRef");
  if (reference !== undefined) {
    checkFieldReference(reference, fileFields, `${field}.fieldRef`, errors);
    if (amount !== undefined)
      errors.push(invalid(field, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"));
  } else if (amount !== undefined) checkAmountReference(amount, true, `${field}.resourceFieldRef`, errors);
  else errors.push(required(field, "one of fieldRef and resourceFieldRef is required"));
  checkFileMode(file, "mode", field, errors);
}

function checkProjected(projected: JsonObject, field: string, errors: Errors): void {
  checkFileMode(projected, "defaultMode", field, errors);
  const paths = new Set<string>();
  const take = (path: string, quoted: string): void => {
    if (path === "") return;
    if (paths.has(path)) errors.push(invalid(field, quoted, "conflicting duplicate paths"));
    paths.add(path);
  };
  for (const [source, at] of entriesAt(projected, "sources", field)) {
    for (const kind of ["secret", "configMap"]) {
      const part = partAt(source, kind);
      if (part === undefined) continue;
      checkPresent(part, ["name"], `${at}.${kind}`, errors);
      for (const [item, place] of entriesAt(part, "items", `${at}.${kind}`)) {
        checkItem(item, place, errors);
        take(textAt(item, "path"), textAt(part, "name"));
      }
    }
    const downward = partAt(source, "downwardAPI");
    if (downward !== undefined)
      for (const [file] of entriesAt(downward, "items", at)) {
        checkPodFile(file, `${at}.downwardAPI`, errors);
        take(textAt(file, "path"), textAt(file, "path"));
      }
    const token = partAt(source, "serviceAccountToken");
    if (token !== undefined) checkToken(token, `${at}.serviceAccountToken`, field, errors);
    const kinds = ["secret", "configMap", "downwardAPI", "serviceAccountToken"];
    if (kinds.filter((kind) => partAt(source, kind) !== undefined).length > 1)
      errors.push(forbidden(at, "may not specify more than 1 volume type per source"));
  }
}

function checkToken(token: JsonObject, at: string, field: string, errors: Errors): void {
  const seconds = numberAt(token, "expirationSeconds");
  if (seconds < 600)
    errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes"));
  if (seconds > 2 ** 32)
    errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds"));
  const path = textAt(token, "path");
  if (path === "") errors.push(required(`${field}.path`));
  else checkFilePath(path, `${field}.path`, errors);
}

function checkClaimTemplate(ephemeral: JsonObject, field: string, errors: Errors): void {
  const template = partAt(ephemeral, "volumeClaimTemplate");
  if (template === undefined) return void errors.push(required(`${field}.volumeClaimTemplate`));
  const at = `${field}.volumeClaimTemplate`;
  checkTemplateMetadata(partAt(template, "metadata") ?? {}, `${at}.metadata`, errors);
  checkClaimSpec(partAt(template, "spec") ?? {}, `${at}.spec`, errors);
}
