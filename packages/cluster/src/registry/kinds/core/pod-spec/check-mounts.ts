import { forbidden, invalid, required } from "@kubewright/core/schema";
import type { Container, Volume, VolumeMount } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { checkDescendingPath, checkOptionalEnum, type Errors, entriesAt } from "../../../validation/index.js";

/** The valid volumes of a pod, by name. */
export type Volumes = ReadonlyMap<string, Decoded<Volume>>;

/** Validates volumeMounts and volumeDevices. */
export function checkMounts(container: Decoded<Container>, volumes: Volumes, field: string, errors: Errors): void {
  const deviceNames = new Set(container.volumeDevices?.map((device) => device.name ?? ""));
  const devicePaths = new Set(container.volumeDevices?.map((device) => device.devicePath ?? ""));
  const paths = new Set<string>();
  for (const [mount, at] of entriesAt(container, "volumeMounts", field)) {
    const { name = "", mountPath: path = "" } = mount;
    if (name === "") errors.push(required(`${at}.name`));
    if (!volumes.has(name)) errors.push({ type: "NotFound", field: `${at}.name`, badValue: name, detail: "" });
    if (path === "") errors.push(required(`${at}.mountPath`));
    if (paths.has(path)) errors.push(invalid(`${at}.mountPath`, path, "must be unique"));
    paths.add(path);
    if (deviceNames.has(name)) errors.push(invalid(`${at}.name`, name, "must not already exist in volumeDevices"));
    if (devicePaths.has(path))
      errors.push(invalid(`${at}.mountPath`, path, "must not already exist as a path in volumeDevices"));
    checkParts(mount, container, { at, list: `${field}.volumeMounts`, errors });
  }
  checkDevices(container, volumes, field, errors);
}

function checkParts(
  mount: Decoded<VolumeMount>,
  container: Decoded<Container>,
  // In these errors kube-apiserver reports the list, not the mount.
  { at, list, errors }: { readonly at: string; readonly list: string; readonly errors: Errors },
): void {
  const { subPath = "", subPathExpr: expression = "" } = mount;
  const { mountPropagation: propagation, recursiveReadOnly: recursive } = mount;
  if (subPath !== "") checkDescendingPath(subPath, `${list}.subPath`, errors);
  if (expression !== "") {
    if (subPath !== "")
      errors.push(invalid(`${at}.subPathExpr`, expression, "subPathExpr and subPath are mutually exclusive"));
    checkDescendingPath(expression, `${list}.subPathExpr`, errors);
  }
  if (propagation !== undefined) {
    const place = `${list}.mountPropagation`;
    checkOptionalEnum(propagation, ["Bidirectional", "HostToContainer", "None"], place, errors);
    if (propagation === "Bidirectional" && !container.securityContext?.privileged)
      errors.push(forbidden(place, "Bidirectional mount propagation is available only to privileged containers"));
  }
  if (recursive === undefined || recursive === "Disabled") return;
  const place = `${list}.recursiveReadOnly`;
  checkOptionalEnum(recursive, ["Disabled", "Enabled", "IfPossible"], place, errors);
  if (recursive !== "Enabled" && recursive !== "IfPossible") return;
  if (!mount.readOnly) errors.push(forbidden(place, "may only be specified when readOnly is true"));
  if (propagation !== undefined && propagation !== "None")
    errors.push(forbidden(place, "may only be specified when mountPropagation is None or not specified"));
}

function checkDevices(container: Decoded<Container>, volumes: Volumes, field: string, errors: Errors): void {
  const mountNames = new Set(container.volumeMounts?.map((mount) => mount.name ?? ""));
  const mountPaths = new Set(container.volumeMounts?.map((mount) => mount.mountPath ?? ""));
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [{ name = "", devicePath: path = "" }, at] of entriesAt(container, "volumeDevices", field)) {
    const volume = volumes.get(name);
    if (name === "") errors.push(required(`${at}.name`));
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, "must be unique"));
    if (volume === undefined) errors.push({ type: "NotFound", field: `${at}.name`, badValue: name, detail: "" });
    else if (!volume.persistentVolumeClaim && !volume.ephemeral)
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
    if (mountNames.has(name)) errors.push(invalid(`${at}.name`, name, "must not already exist in volumeMounts"));
    if (mountPaths.has(path))
      errors.push(invalid(`${at}.devicePath`, path, "must not already exist as a path in volumeMounts"));
    if (name !== "") names.add(name);
  }
}
