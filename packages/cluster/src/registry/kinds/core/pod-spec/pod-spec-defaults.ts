import type {
  Container,
  EnvVarSource,
  HTTPGetAction,
  PodSpec,
  PodTemplateSpec,
  Probe,
  Volume,
  VolumeProjection,
} from "kubewright/k8s/core/v1";
import type { Drafted } from "../../../decoded.js";
import { childDraft, drop } from "../../../draft.js";
import { isStoredPart } from "../../../stored-part.js";
import { imageTag } from "./image-name.js";

/** Sets the defaults of a pod template. */
export function applyPodTemplateDefaults(template: Drafted<PodTemplateSpec>): void {
  // A frozen part comes from a stored object and has its defaults.
  if (isStoredPart(template)) return;
  childDraft(template, "metadata");
  applyPodSpecDefaults(childDraft(template, "spec"));
}

/** Sets the defaults of a pod spec. */
export function applyPodSpecDefaults(spec: Drafted<PodSpec>): void {
  for (const list of ["containers", "initContainers", "ephemeralContainers"] as const)
    for (const container of spec[list] ?? []) applyContainerDefaults(container);
  for (const volume of spec.volumes ?? []) applyVolumeDefaults(volume);
  // Behind a feature gate that is off by default.
  drop(spec, "schedulingGroup");
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  spec.schedulerName ||= "default-scheduler";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  // The deprecated serviceAccount always equals serviceAccountName.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
}

function applyContainerDefaults(container: Drafted<Container>): void {
  const { lifecycle } = container;
  container.imagePullPolicy ||= pullPolicyOf(container.image);
  container.terminationMessagePath ||= "/dev/termination-log";
  container.terminationMessagePolicy ||= "File";
  for (const port of container.ports ?? []) port.protocol ||= "TCP";
  for (const { valueFrom } of container.env ?? []) if (valueFrom) applyReferenceDefaults(valueFrom);
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"] as const) applyProbeDefaults(container[name]);
  if (!lifecycle) return;
  // Behind a feature gate that is off by default.
  drop(lifecycle, "stopSignal");
  applyHttpGetDefaults(lifecycle.postStart?.httpGet);
  applyHttpGetDefaults(lifecycle.preStop?.httpGet);
}

/** Sets the defaults of fieldRef, resourceFieldRef and fileKeyRef. */
function applyReferenceDefaults({ fieldRef, resourceFieldRef, fileKeyRef }: Drafted<EnvVarSource>): void {
  if (fieldRef) fieldRef.apiVersion ||= "v1";
  if (resourceFieldRef) resourceFieldRef.divisor ||= "0";
  if (fileKeyRef) fileKeyRef.optional ??= false;
}

/** Always for `:latest` and for no tag; IfNotPresent for another tag, a digest or an invalid name. */
function pullPolicyOf(image = ""): "Always" | "IfNotPresent" {
  return imageTag(image) === "latest" ? "Always" : "IfNotPresent";
}

function applyProbeDefaults(probe: Drafted<Probe> | undefined): void {
  if (!probe) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  applyHttpGetDefaults(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= "";
}

function applyHttpGetDefaults(action: Drafted<HTTPGetAction> | undefined): void {
  if (!action) return;
  action.path ||= "/";
  action.scheme ||= "HTTP";
}

function applyVolumeDefaults(volume: Drafted<Volume>): void {
  if (Object.keys(volume).every((key) => key === "name")) volume.emptyDir = {};
  const { downwardAPI, projected, image, ephemeral } = volume;
  for (const source of [volume.secret, volume.configMap, downwardAPI, projected])
    if (source) source.defaultMode ??= 0o644;
  for (const file of downwardAPI?.items ?? []) applyReferenceDefaults(file);
  for (const source of projected?.sources ?? []) applyProjectionDefaults(source);
  if (image) image.pullPolicy ||= pullPolicyOf(image.reference);
  applySourceDefaults(volume);
  if (ephemeral?.volumeClaimTemplate) childDraft(ephemeral.volumeClaimTemplate, "spec").volumeMode ??= "Filesystem";
}

/** Sets the defaults of the volume sources that pods and PersistentVolumes share. */
export function applySourceDefaults({ hostPath, iscsi, rbd, azureDisk, scaleIO }: Drafted<SharedSources>): void {
  if (hostPath) hostPath.type ??= "";
  if (iscsi) iscsi.iscsiInterface ||= "default";
  if (rbd) {
    rbd.pool ||= "rbd";
    rbd.user ||= "admin";
    rbd.keyring ||= "/etc/ceph/keyring";
  }
  if (azureDisk) {
    azureDisk.cachingMode ||= "ReadWrite";
    azureDisk.kind ||= "Shared";
    azureDisk.fsType ||= "ext4";
    azureDisk.readOnly ??= false;
  }
  if (scaleIO) {
    scaleIO.storageMode ||= "ThinProvisioned";
    scaleIO.fsType ||= "xfs";
  }
}

type SharedSources = Pick<Volume, "hostPath" | "iscsi" | "rbd" | "azureDisk" | "scaleIO">;

function applyProjectionDefaults(source: Drafted<VolumeProjection>): void {
  const { serviceAccountToken, downwardAPI } = source;
  // Behind feature gates that are off by default.
  drop(source, "clusterTrustBundle");
  drop(source, "podCertificate");
  if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= 3600;
  for (const file of downwardAPI?.items ?? []) applyReferenceDefaults(file);
}
