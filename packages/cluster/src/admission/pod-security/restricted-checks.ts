import type { JsonObject } from "@kubewright/core/json";
import { listAt, objectAt, textsAt } from "../../registry/index.js";
import { checkProcMount } from "./baseline-checks.js";
import {
  type Check,
  type CheckedPod,
  containersText,
  hasUserNamespace,
  isWindows,
  nameOf,
  namesWhere,
  plural,
  quoted,
  securityOf,
  settersText,
  unique,
  type Violation,
} from "./check.js";
import { requireSeccomp } from "./seccomp.js";

type CheckPod = (pod: CheckedPod) => Violation | undefined;

const allowedVolumes = [
  ...["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected"],
  "secret",
];

/** In the order in which a volume with several sources is named. */
const restrictedVolumes = [
  ...["hostPath", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo", "nfs", "iscsi", "glusterfs", "rbd"],
  ...["flexVolume", "cinder", "cephfs", "flocker", "fc", "azureFile", "vsphereVolume", "quobyte", "azureDisk"],
  ...["photonPersistentDisk", "portworxVolume", "scaleIO", "storageos"],
];

/** The checks that the level `restricted` adds to `baseline`, sorted by their ids. */
export const restrictedChecks: readonly Check[] = [
  {
    id: "allowPrivilegeEscalation",
    versions: [
      [8, checkEscalation],
      [25, exceptWindows(checkEscalation)],
    ],
  },
  {
    id: "capabilities_restricted",
    versions: [
      [22, checkCapabilities],
      [25, exceptWindows(checkCapabilities)],
    ],
    overrides: "capabilities_baseline",
  },
  { id: "procMount_restricted", versions: [[35, checkProcMount]], overrides: "procMount" },
  { id: "restrictedVolumes", versions: [[0, checkVolumes]], overrides: "hostPathVolumes" },
  {
    id: "runAsNonRoot",
    versions: [
      [0, checkNonRoot],
      [35, exceptUserNamespace(checkNonRoot)],
    ],
  },
  {
    id: "runAsUser",
    versions: [
      [23, checkUser],
      [35, exceptUserNamespace(checkUser)],
    ],
  },
  {
    id: "seccompProfile_restricted",
    versions: [
      [19, requireSeccomp],
      [25, exceptWindows(requireSeccomp)],
    ],
    overrides: "seccompProfile_baseline",
  },
];

function exceptWindows(check: CheckPod): CheckPod {
  return (pod) => (isWindows(pod) ? undefined : check(pod));
}

function exceptUserNamespace(check: CheckPod): CheckPod {
  return (pod) => (hasUserNamespace(pod) ? undefined : check(pod));
}

function checkEscalation(pod: CheckedPod): Violation | undefined {
  const bad = namesWhere(pod, (container) => securityOf(container)["allowPrivilegeEscalation"] !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function checkCapabilities(pod: CheckedPod): Violation | undefined {
  const capabilitiesOf = (container: JsonObject): JsonObject => objectAt(securityOf(container), "capabilities");
  const addedBy = (container: JsonObject): string[] =>
    textsAt(capabilitiesOf(container), "add").filter((one) => one !== "NET_BIND_SERVICE");
  const keeping = namesWhere(pod, (container) => !textsAt(capabilitiesOf(container), "drop").includes("ALL"));
  const adding = namesWhere(pod, (container) => addedBy(container).length > 0);
  const details: string[] = [];
  if (keeping.length > 0) details.push(`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const added = unique(pod.containers.flatMap(addedBy));
    details.push(`${containersText(adding)} must not include ${quoted(added)} in securityContext.capabilities.add`);
  }
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
}

function checkVolumes({ spec }: CheckedPod): Violation | undefined {
  const has = (volume: JsonObject) => (source: string) => volume[source] !== undefined;
  const bad = (listAt(spec, "volumes") as readonly JsonObject[]).filter((one) => !allowedVolumes.some(has(one)));
  if (bad.length === 0) return undefined;
  const types = unique(bad.map((volume) => restrictedVolumes.find(has(volume)) ?? "unknown"));
  const uses = bad.length === 1 ? "uses" : "use";
  return {
    reason: "restricted volume types",
    detail: `${plural("volume", bad.length)} ${quoted(bad.map(nameOf))} ${uses} ${plural("restricted volume type", types.length)} ${quoted(types)}`,
  };
}

function checkNonRoot(pod: CheckedPod): Violation | undefined {
  const reason = "runAsNonRoot != true";
  const settingOf = (part: JsonObject): unknown => securityOf(part)["runAsNonRoot"];
  const setters = settersText(
    settingOf(pod.spec) === false,
    namesWhere(pod, (container) => settingOf(container) === false),
  );
  if (setters !== "") return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (settingOf(pod.spec) === true) return undefined;
  const silent = namesWhere(pod, (container) => settingOf(container) === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
}

function checkUser(pod: CheckedPod): Violation | undefined {
  const isRoot = (part: JsonObject): boolean => securityOf(part)["runAsUser"] === 0;
  const setters = settersText(isRoot(pod.spec), namesWhere(pod, isRoot));
  return setters === "" ? undefined : { reason: "runAsUser=0", detail: `${setters} must not set runAsUser=0` };
}
