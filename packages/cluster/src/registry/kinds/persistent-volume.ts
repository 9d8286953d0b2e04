import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { childDraft, isDraft, keepFrom, listAt, metadataOf, objectAt, setDefault, textAt } from "../draft.js";
import { subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";
import {
  checkName,
  checkOneOf,
  checkOptionalEnum,
  checkPresent,
  type Errors,
  immutable,
  partAt,
} from "./field-checks.js";
import { checkNodeSelector } from "./pod-spec/index.js";
import { quantityOf } from "./resource-amounts.js";
import { checkDriverName, checkNoBacksteps } from "./value-rules.js";
import { checkAccessModes, classOf, phaseColumn, printAccessModes, specOrUnset } from "./volume-claims.js";
import { keepOtherPart, setMissing } from "./workload.js";

type SourceCheck = (part: JsonObject, at: string, errors: Errors) => void;

const unchecked: SourceCheck = () => {};

/** Where a volume may lie, in the order in which a real server looks; what is out of date is only counted. */
const sources: Readonly<Record<string, SourceCheck>> = {
  hostPath(part, at, errors) {
    if (textAt(part, "path") === "") errors.push(required(`${at}.path`));
    else checkNoBacksteps(textAt(part, "path"), `${at}.path`, errors);
  },
  gcePersistentDisk: unchecked,
  awsElasticBlockStore: unchecked,
  glusterfs: unchecked,
  flocker: unchecked,
  nfs(part, at, errors) {
    checkPresent(part, ["server", "path"], at, errors);
    const path = textAt(part, "path");
    if (path !== "" && !path.startsWith("/")) errors.push(invalid(`${at}.path`, path, "must be an absolute path"));
  },
  rbd: unchecked,
  quobyte: unchecked,
  cephfs: unchecked,
  iscsi: unchecked,
  cinder: unchecked,
  fc: unchecked,
  flexVolume: unchecked,
  azureFile: unchecked,
  vsphereVolume: unchecked,
  photonPersistentDisk: unchecked,
  portworxVolume: unchecked,
  azureDisk: unchecked,
  scaleIO: unchecked,
  local(part, at, errors) {
    if (textAt(part, "path") === "") errors.push(required(`${at}.path`));
    else checkNoBacksteps(textAt(part, "path"), `${at}.path`, errors);
  },
  storageos: unchecked,
  csi(part, at, errors) {
    checkDriverName(textAt(part, "driver"), `${at}.driver`, errors);
    checkPresent(part, ["volumeHandle"], at, errors);
  },
};

/** Volumes: where they lie does not change. */
export const persistentVolumeStrategy: Strategy = {
  nameRule: subdomainName,
  metadataChecks: 4,
  unconditionalUpdate: true,
  tracksGeneration: false,
  returnsDeleted: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setDefault(childDraft(draft, "status"), "phase", "Pending");
    setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
    setDefault(spec, "volumeMode", "Filesystem");
    if (isDraft(spec["hostPath"])) setMissing(spec["hostPath"], "type", "");
  },
  prepareNew(draft) {
    draft["status"] = {
      phase: "Pending",
      lastPhaseTransitionTime: textAt(metadataOf(draft), "creationTimestamp"),
    };
  },
  prepareChange: keepOtherPart,
  // Nobody owns the time of a change of phase.
  admitChange(draft, old, subresource, _store, time) {
    if (subresource !== "status") return;
    const status = childDraft(draft, "status");
    const before = objectAt(old, "status");
    const key = "lastPhaseTransitionTime";
    const isSame = status["phase"] === before["phase"];
    if (isSame && status[key] === undefined) keepFrom(status, before, key);
    else if (!isSame && (status[key] === undefined || status[key] === before[key])) status[key] = time;
  },
  check(object, old, subresource) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    checkSpec(spec, errors);
    if (old) checkChanged(spec, objectAt(old, "spec"), errors);
    return errors;
  },
  warn: (object) =>
    textAt(objectAt(object, "spec"), "persistentVolumeReclaimPolicy") === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : [],
  selectableFields: { name: (object) => textAt(metadataOf(object), "name") },
  columns: [
    nameColumn,
    {
      name: "Capacity",
      type: "string",
      cell: (object) => quantityOf(objectAt(objectAt(object, "spec"), "capacity")["storage"] ?? "0").toString(),
    },
    { name: "Access Modes", type: "string", cell: (object) => printAccessModes(objectAt(object, "spec")) },
    {
      name: "Reclaim Policy",
      type: "string",
      cell: (object) => textAt(objectAt(object, "spec"), "persistentVolumeReclaimPolicy"),
    },
    phaseColumn,
    { name: "Claim", type: "string", cell: printClaim },
    { name: "StorageClass", type: "string", cell: classOf },
    specOrUnset("VolumeAttributesClass", "volumeAttributesClassName"),
    { name: "Reason", type: "string", cell: (object) => textAt(objectAt(object, "status"), "reason") },
    ageColumn,
    specOrUnset("VolumeMode", "volumeMode", 1),
  ],
};

function printClaim(object: JsonObject): string {
  const claim = partAt(objectAt(object, "spec"), "claimRef");
  return claim ? `${textAt(claim, "namespace")}/${textAt(claim, "name")}` : "";
}

function checkSpec(spec: JsonObject, errors: Errors): void {
  if (listAt(spec, "accessModes").length === 0) errors.push(required("spec.accessModes"));
  checkAccessModes(spec, errors);
  const capacity = objectAt(spec, "capacity");
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(required("spec.capacity"));
  if (names.length !== 1 || names[0] !== "storage")
    errors.push(notSupported("spec.capacity", spec["capacity"] ?? null, ["storage"]));
  for (const name of names) {
    const amount = quantityOf(capacity[name]);
    if (amount.sign < 0)
      errors.push(invalid(`spec.capacity[${name}]`, Number(amount.toUnits()), "must be a valid resource quantity"));
    if (amount.sign <= 0)
      errors.push(invalid(`spec.capacity[${name}]`, amount.toString(), "must be greater than zero"));
  }
  const policy = textAt(spec, "persistentVolumeReclaimPolicy");
  checkOptionalEnum(policy, ["Delete", "Recycle", "Retain"], "spec.persistentVolumeReclaimPolicy", errors);
  const affinity = partAt(spec, "nodeAffinity");
  const selector = affinity && partAt(affinity, "required");
  if (selector) checkNodeSelector(selector, "spec.nodeAffinity.required", errors);
  else if (affinity) errors.push(required("spec.nodeAffinity.required", "must specify required node constraints"));
  checkSource(spec, affinity !== undefined, errors);
  if (textAt(objectAt(spec, "hostPath"), "path") === "/" && policy === "Recycle")
    errors.push(forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'"));
  if (textAt(spec, "storageClassName") !== "")
    checkName(textAt(spec, "storageClassName"), subdomainName, "spec.storageClassName", errors);
  checkOptionalEnum(spec["volumeMode"], ["Block", "Filesystem"], "spec.volumeMode", errors);
}

function checkSource(spec: JsonObject, hasAffinity: boolean, errors: Errors): void {
  const checks = Object.fromEntries(
    Object.entries(sources).map(([key, check]) => [
      key,
      (part: JsonObject, at: string): void => {
        check(part, at, errors);
        if (key === "local" && !hasAffinity)
          errors.push(required("spec.nodeAffinity", "Local volume requires node affinity"));
      },
    ]),
  );
  const found = checkOneOf(spec, checks, { field: "spec", tooMany: "may not specify more than 1 volume type", errors });
  if (found === 0) errors.push(required("spec", "must specify a volume type"));
}

function checkChanged(spec: JsonObject, before: JsonObject, errors: Errors): void {
  const sourceOf = (one: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(one).filter(([key]) => Object.hasOwn(sources, key)));
  // A real server goes on with the difference of the two.
  if (!deepEqual(sourceOf(spec), sourceOf(before)))
    errors.push(forbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation\n"));
  if (spec["volumeMode"] !== before["volumeMode"])
    errors.push(invalid("volumeMode", textAt(spec, "volumeMode"), immutable));
  const [affinity, earlier] = [spec["nodeAffinity"] ?? null, before["nodeAffinity"] ?? null];
  if (earlier !== null && !deepEqual(affinity, earlier))
    errors.push(invalid("nodeAffinity", affinity, "field is immutable, except for updating from beta label to GA"));
}
