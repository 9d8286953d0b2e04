import type { ClusterOptions } from "@kubewright/cluster";
import type { ControlPlaneOptions } from "@kubewright/testing/control-plane";
import type { ServerProfile, Subject } from "../test-case.js";

/** The same configuration of both servers. */
interface Profile {
  readonly real: ControlPlaneOptions;
  readonly ours: ClusterOptions;
}

/** Admission plugins that kube-apiserver does not enable by default. */
const optionalPlugins = ["AlwaysPullImages", "NodeRestriction", "OwnerReferencesPermissionEnforcement"] as const;

const cleaners = ["clusterrole-aggregation-controller", "garbage-collector-controller", "namespace-controller"];

/** The configurations of servers. */
export const serverProfiles: Readonly<Record<ServerProfile, Profile>> = {
  plain: {
    real: { controllerManager: cleaners },
    ours: { enableAdmissionPlugins: ["StorageObjectInUseProtection"] },
  },
  admission: {
    real: {
      controllerManager: [...cleaners, "serviceaccount-controller", "root-ca-certificate-publisher-controller"],
      flags: { "kube-apiserver": [`--enable-admission-plugins=${optionalPlugins.join(",")}`] },
    },
    ours: {
      enableAdmissionPlugins: [...optionalPlugins],
      // Those that would change what a case creates.
      workloads: {
        nodes: 0,
        without: ["default-scheduler", "csrapproving", "csrsigning", "csrcleaner", "persistentvolume-controller"],
      },
    },
  },
};

/** The subjects by the profile of the servers that they need. */
export function byProfile(subjects: readonly Subject[]): ReadonlyMap<ServerProfile, readonly Subject[]> {
  const groups = new Map<ServerProfile, Subject[]>();
  for (const subject of subjects) {
    const { server = "plain" } = subject;
    groups.set(server, [...(groups.get(server) ?? []), subject]);
  }
  return groups;
}
