import { childDraft, type Draft, type DraftValue, draftsIn, isDraft, setDefault, textAt } from "../../../draft.js";
import { imageTag } from "./image-name.js";

/** The lists of a pod's containers, in the order of most checks. */
const containerLists = ["containers", "initContainers", "ephemeralContainers"] as const;

/** Sets the defaults of a pod template. */
export function applyPodTemplateDefaults(template: Draft): void {
  // A frozen part comes from a stored object and has its defaults.
  if (Object.isFrozen(template)) return;
  const metadata = template["metadata"];
  if (isDraft(metadata) && metadata["creationTimestamp"] === null) delete metadata["creationTimestamp"];
  childDraft(template, "metadata");
  applyPodSpecDefaults(childDraft(template, "spec"));
}

/** Sets the defaults of a pod spec. */
export function applyPodSpecDefaults(spec: Draft): void {
  for (const list of containerLists) for (const container of draftsIn(spec[list])) applyContainerDefaults(container);
  for (const volume of draftsIn(spec["volumes"])) applyVolumeDefaults(volume);
  // Behind a feature gate that is off by default.
  delete spec["schedulingGroup"];
  setDefault(spec, "dnsPolicy", "ClusterFirst");
  setDefault(spec, "restartPolicy", "Always");
  setDefault(spec, "schedulerName", "default-scheduler");
  setDefault(spec, "securityContext", {});
  setDefault(spec, "terminationGracePeriodSeconds", 30);
  // The server keeps the deprecated field equal to the one that replaced it.
  const account = spec["serviceAccountName"] ?? spec["serviceAccount"];
  if (typeof account === "string" && account !== "") {
    spec["serviceAccountName"] = account;
    spec["serviceAccount"] = account;
  }
}

function applyContainerDefaults(container: Draft): void {
  setDefault(container, "imagePullPolicy", pullPolicyOf(textAt(container, "image")));
  setDefault(container, "terminationMessagePath", "/dev/termination-log");
  setDefault(container, "terminationMessagePolicy", "File");
  for (const port of draftsIn(container["ports"])) setDefault(port, "protocol", "TCP");
  for (const variable of draftsIn(container["env"])) {
    const source = variable["valueFrom"];
    if (isDraft(source)) applyReferenceDefaults(source);
  }
  const probes = ["livenessProbe", "readinessProbe", "startupProbe"];
  for (const name of probes) if (isDraft(container[name])) applyProbeDefaults(childDraft(container, name));
  const lifecycle = container["lifecycle"];
  if (!isDraft(lifecycle)) return;
  // Behind a feature gate that is off by default.
  delete lifecycle["stopSignal"];
  for (const hook of Object.values(lifecycle)) if (isDraft(hook)) applyHttpGetDefaults(hook["httpGet"]);
}

/** Sets the defaults of fieldRef and resourceFieldRef. */
function applyReferenceDefaults(source: Draft): void {
  if (isDraft(source["fieldRef"])) setDefault(source["fieldRef"], "apiVersion", "v1");
  if (isDraft(source["resourceFieldRef"])) setDefault(source["resourceFieldRef"], "divisor", "0");
  const file = source["fileKeyRef"];
  if (isDraft(file) && file["optional"] === undefined) file["optional"] = false;
}

/** Always for `:latest` and for no tag; IfNotPresent for other tags, for a digest and for an invalid name. */
function pullPolicyOf(image: string): string {
  return imageTag(image) === "latest" ? "Always" : "IfNotPresent";
}

function applyProbeDefaults(probe: Draft): void {
  for (const [key, value] of [
    ["timeoutSeconds", 1],
    ["periodSeconds", 10],
    ["successThreshold", 1],
    ["failureThreshold", 3],
  ] as const)
    if (probe[key] === undefined || probe[key] === 0) probe[key] = value;
  applyHttpGetDefaults(probe["httpGet"]);
  if (isDraft(probe["grpc"])) probe["grpc"]["service"] ??= "";
}

function applyHttpGetDefaults(action: DraftValue | undefined): void {
  if (!isDraft(action)) return;
  setDefault(action, "path", "/");
  setDefault(action, "scheme", "HTTP");
}

function applyVolumeDefaults(volume: Draft): void {
  if (Object.keys(volume).every((key) => key === "name")) volume["emptyDir"] = {};
  for (const source of ["secret", "configMap", "downwardAPI", "projected"]) {
    const found = volume[source];
    if (isDraft(found) && found["defaultMode"] === undefined) found["defaultMode"] = 0o644;
  }
  const { downwardAPI, projected, image, ephemeral } = volume;
  if (isDraft(downwardAPI)) for (const file of draftsIn(downwardAPI["items"])) applyReferenceDefaults(file);
  if (isDraft(projected)) for (const part of draftsIn(projected["sources"])) applyProjectionDefaults(part);
  if (isDraft(image)) setDefault(image, "pullPolicy", pullPolicyOf(textAt(image, "reference")));
  applySourceDefaults(volume);
  const claim = isDraft(ephemeral) ? ephemeral["volumeClaimTemplate"] : undefined;
  if (isDraft(claim)) childDraft(claim, "spec")["volumeMode"] ??= "Filesystem";
}

/** Sets the defaults of the volume sources that pods and PersistentVolumes share. */
export function applySourceDefaults(volume: Draft): void {
  const { hostPath, iscsi, rbd, azureDisk, scaleIO } = volume;
  if (isDraft(hostPath) && hostPath["type"] === undefined) hostPath["type"] = "";
  if (isDraft(iscsi)) setDefault(iscsi, "iscsiInterface", "default");
  if (isDraft(rbd))
    for (const [key, value] of Object.entries({ pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" }))
      setDefault(rbd, key, value);
  if (isDraft(azureDisk)) {
    setDefault(azureDisk, "cachingMode", "ReadWrite");
    setDefault(azureDisk, "kind", "Shared");
    setDefault(azureDisk, "fsType", "ext4");
    if (azureDisk["readOnly"] === undefined) azureDisk["readOnly"] = false;
  }
  if (isDraft(scaleIO)) {
    setDefault(scaleIO, "storageMode", "ThinProvisioned");
    setDefault(scaleIO, "fsType", "xfs");
  }
}

function applyProjectionDefaults(part: Draft): void {
  const { serviceAccountToken, downwardAPI } = part;
  // Behind feature gates that are off by default.
  delete part["clusterTrustBundle"];
  delete part["podCertificate"];
  if (isDraft(serviceAccountToken)) setDefault(serviceAccountToken, "expirationSeconds", 3600);
  if (isDraft(downwardAPI)) for (const file of draftsIn(downwardAPI["items"])) applyReferenceDefaults(file);
}
