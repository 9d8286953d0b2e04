import type { JsonObject } from "@kubewright/core/json";
import { isJsonObject } from "@kubewright/core/json";
import { forbidden, invalid, required } from "@kubewright/core/schema";
import { listAt, partAt, textAt } from "../../../draft.js";
import { checkDescendingPath, checkOptionalEnum, type Errors, entriesAt } from "../../../validation/index.js";

/** The valid volumes of a pod, by name. */
export type Volumes = ReadonlyMap<string, JsonObject>;

/** Validates volumeMounts and volumeDevices. */
export function checkMounts(container: JsonObject, volumes: Volumes, field: string, errors: Errors): void {
  const devices = namesAndPaths(container, "volumeDevices", "devicePath");
  const paths = new Set<string>();
  for (const [mount, at] of entriesAt(container, "volumeMounts", field)) {
    const name = textAt(mount, "name");
    const path = textAt(mount, "mountPath");
    if (name === "") errors.push(required(`${at}.name`));
    if (!volumes.has(name)) errors.push({ type: "NotFound", field: `${at}.name`, badValue: name, detail: "" });
    if (path === "") errors.push(required(`${at}.mountPath`));
    if (paths.has(path)) errors.push(invalid(`${at}.mountPath`, path, "must be unique"));
    paths.add(path);
    if (devices.names.has(name)) errors.push(invalid(`${at}.name`, name, "must not already exist in volumeDevices"));
    if (devices.paths.has(path))
      errors.push(invalid(`${at}.mountPath`, path, "must not already exist as a path in volumeDevices"));
    checkParts(mount, container, { at, list: `${field}.volumeMounts`, errors });
  }
  checkDevices(container, volumes, field, errors);
}

function checkParts(
  mount: JsonObject,
  container: JsonObject,
  // kube-apiserver names the list, not the mount, in these errors.
  { at, list, errors }: { readonly at: string; readonly list: string; readonly errors: Errors },
): void {
  const subPath = textAt(mount, "subPath");
  const expression = textAt(mount, "subPathExpr");
  if (subPath !== "") checkDescendingPath(subPath, `${list}.subPath`, errors);
  if (expression !== "") {
    if (subPath !== "")
      errors.push(invalid(`${at}.subPathExpr`, expression, "subPathExpr and subPath are mutually exclusive"));
    checkDescendingPath(expression, `${list}.subPathExpr`, errors);
  }
  const propagation = mount["mountPropagation"];
  if (propagation !== undefined) {
    const place = `${list}.mountPropagation`;
    checkOptionalEnum(propagation, ["Bidirectional", "HostToContainer", "None"], place, errors);
    if (propagation === "Bidirectional" && partAt(container, "securityContext")?.["privileged"] !== true)
      errors.push(forbidden(place, "Bidirectional mount propagation is available only to privileged containers"));
  }
  const recursive = mount["recursiveReadOnly"];
  if (recursive === undefined || recursive === "Disabled") return;
  const place = `${list}.recursiveReadOnly`;
  checkOptionalEnum(recursive, ["Disabled", "Enabled", "IfPossible"], place, errors);
  if (recursive !== "Enabled" && recursive !== "IfPossible") return;
  if (mount["readOnly"] !== true) errors.push(forbidden(place, "may only be specified when readOnly is true"));
  if (propagation !== undefined && propagation !== "None")
    errors.push(forbidden(place, "may only be specified when mountPropagation is None or not specified"));
}

function checkDevices(container: JsonObject, volumes: Volumes, field: string, errors: Errors): void {
  const mounts = namesAndPaths(container, "volumeMounts", "mountPath");
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [device, at] of entriesAt(container, "volumeDevices", field)) {
    const name = textAt(device, "name");
    const path = textAt(device, "devicePath");
    const volume = volumes.get(name);
    if (name === "") errors.push(required(`${at}.name`));
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, "must be unique"));
    if (volume === undefined) errors.push({ type: "NotFound", field: `${at}.name`, badValue: name, detail: "" });
    else if (partAt(volume, "persistentVolumeClaim") === undefined && partAt(volume, "ephemeral") === undefined)
      errors.push(
        invalid(
          `${at}.name`,
          name,
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode",
        ),
      );
    if (path === "") errors.push(required(`${at}.devicePath`));
    if (paths.has(path)) errors.push(invalid(`${at}.devicePath`, path, "must be unique"));
    if (path.split("/").includes(".."))
      errors.push(invalid(`${at}.devicePath`, path, "can not contain backsteps ('..')"));
    else paths.add(path);
    if (mounts.names.has(name)) errors.push(invalid(`${at}.name`, name, "must not already exist in volumeMounts"));
    if (mounts.paths.has(path))
      errors.push(invalid(`${at}.devicePath`, path, "must not already exist as a path in volumeMounts"));
    if (name !== "") names.add(name);
  }
}

function namesAndPaths(container: JsonObject, list: string, path: string): { names: Set<string>; paths: Set<string> } {
  const items = listAt(container, list).filter(isJsonObject);
  return {
    names: new Set(items.map((item) => textAt(item, "name"))),
    paths: new Set(items.map((item) => textAt(item, path))),
  };
}
