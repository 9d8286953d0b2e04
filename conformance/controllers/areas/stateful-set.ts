import { image, statefulSet, template, volume } from "../objects.js";
import { area } from "../scenario.js";
import {
  become,
  create,
  newPods,
  patch,
  remove,
  removePods,
  scale,
  terminatingPodsHang,
  terminatingPodsStop,
  wait,
} from "../step.js";

const db = "statefulsets/db";
const unready = { of: "db", state: "unready" } as const;

function claims(name = "data") {
  const spec = {
    storageClassName: "{ns}",
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
  };
  return { volumeClaimTemplates: [{ metadata: { name, labels: { tier: "data" } }, spec }] };
}

/** A PersistentVolume reserved for the PVC of one replica, so that binding is deterministic. */
function volumeFor(claim: string) {
  return create(
    volume(claim, { claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "{ns}", name: claim } }),
  );
}

const podWithData = {
  template: template("db", {
    spec: { containers: [{ name: "app", image: "app:1", volumeMounts: [{ name: "data", mountPath: "/data" }] }] },
  }),
};

/** The StatefulSet controller. */
export const statefulSetArea = area("stateful-set", {
  "a StatefulSet creates its pods in order and deletes them in reverse order": [
    newPods("running"),
    create(statefulSet("db", { replicas: 3 })),
    become("db-0", "ready"),
    become("db-1", "ready"),
    become("db-0", "running"),
    become("db-2", "ready"),
    scale(db, 4),
    become("db-0", "ready"),
    become("db-3", "ready"),
    terminatingPodsHang,
    scale(db, 2),
    terminatingPodsStop,
    scale(db, 0),
    remove(db),
  ],
  "a StatefulSet with Parallel creates and deletes its pods at once": [
    newPods("running"),
    create(statefulSet("db", { replicas: 3, podManagementPolicy: "Parallel" })),
    become("db-1", "ready"),
    scale(db, 5),
    become(unready, "ready"),
    terminatingPodsHang,
    scale(db, 2),
    terminatingPodsStop,
    patch(db, image("app:2")),
    become(unready, "ready"),
    become(unready, "ready"),
    removePods("db-0"),
    remove(db, { propagationPolicy: "Orphan" }),
  ],
  "a StatefulSet updates its pods from the last to the first": [
    create(statefulSet("db", { replicas: 3 })),
    newPods("running"),
    patch(db, image("app:2")),
    become("db-2", "ready"),
    become("db-1", "ready"),
    become("db-0", "ready"),
    patch(db, image("app:1")),
    become("db-2", "ready"),
    patch(db, image("app:3")),
    become(unready, "ready"),
    become(unready, "ready"),
    become(unready, "ready"),
    become(unready, "ready"),
  ],
  "a StatefulSet with a partition updates only pods at or above it": [
    create(
      statefulSet("db", { replicas: 3, updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } }),
    ),
    patch(db, image("app:2")),
    removePods("db-0"),
    removePods("db-2"),
    patch(db, { spec: { updateStrategy: { rollingUpdate: { partition: 1 } } } }),
    scale(db, 4),
    patch(db, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } }),
    patch(db, { spec: { updateStrategy: { rollingUpdate: { partition: 9 } }, ...(image("app:3")["spec"] as object) } }),
    scale(db, 1),
    scale(db, 3),
  ],
  "a StatefulSet with OnDelete waits until its pods are deleted": [
    create(statefulSet("db", { replicas: 2, updateStrategy: { type: "OnDelete" } })),
    patch(db, image("app:2")),
    removePods("db-0"),
    scale(db, 3),
    removePods("db-1"),
    patch(db, image("app:3")),
    patch(db, { spec: { updateStrategy: { type: "RollingUpdate" } } }),
    patch(db, { spec: { updateStrategy: { type: "OnDelete", rollingUpdate: null } } }),
    patch(db, image("app:1")),
    scale(db, 1),
  ],
  "a StatefulSet numbers its pods from ordinals.start": [
    create(statefulSet("db", { replicas: 2, ordinals: { start: 3 } })),
    scale(db, 3),
    patch(db, { spec: { ordinals: { start: 4 } } }),
    patch(db, { spec: { ordinals: null } }),
    patch(db, image("app:2")),
    scale(db, 2),
    patch(db, { spec: { ordinals: { start: 1 } } }),
    scale(db, 1),
    removePods("db-1"),
    remove(db),
  ],
  "a StatefulSet creates PVCs for its pods and retains them on scale-down and deletion": [
    volumeFor("data-db-0"),
    volumeFor("data-db-1"),
    create(statefulSet("db", { replicas: 1, ...claims(), ...podWithData })),
    scale(db, 2),
    scale(db, 1),
    scale(db, 2),
    removePods("db-1"),
    remove(db),
    create(statefulSet("db", { replicas: 1, ...claims(), ...podWithData })),
    remove("persistentvolumeclaims/data-db-0"),
    scale(db, 0),
  ],
  "persistentVolumeClaimRetentionPolicy Delete deletes PVCs on scale-down and deletion": [
    create(
      statefulSet("db", {
        replicas: 3,
        podManagementPolicy: "Parallel",
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" },
        ...claims(),
        ...podWithData,
      }),
    ),
    scale(db, 2),
    patch(db, { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" } } }),
    scale(db, 1),
    scale(db, 2),
    patch(db, { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Delete" } } }),
    patch(db, { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" } } }),
    remove(db),
    create(statefulSet("db", { replicas: 1, ...claims(), ...podWithData })),
    remove(db),
  ],
  "a StatefulSet with a broken update is stuck, also after a rollback, until the pod is deleted": [
    create(statefulSet("db", { replicas: 2 })),
    newPods("pulling"),
    patch(db, image("app:broken")),
    newPods("ready"),
    patch(db, image("app:1")),
    removePods("db-1"),
    become("db-0", "crashing"),
    patch(db, image("app:2")),
    scale(db, 3),
    become("db-0", "ready"),
  ],
  "a StatefulSet replaces terminated pods": [
    create(statefulSet("db", { replicas: 2, minReadySeconds: 15 })),
    wait(16),
    wait(16),
    become("db-0", "exit 1"),
    become("db-1", "succeeded"),
    wait(16),
    wait(16),
    become("db-1", "evicted"),
    wait(16),
    patch(db, { spec: { minReadySeconds: 0 } }),
  ],
  "a StatefulSet with maxUnavailable updates several pods at once": [
    create(
      statefulSet("db", {
        replicas: 4,
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } },
      }),
    ),
    newPods("running"),
    patch(db, image("app:2")),
    become("db-3", "ready"),
    become(unready, "ready"),
    become(unready, "ready"),
    become(unready, "ready"),
    patch(db, image("app:3")),
    become(unready, "ready"),
    patch(db, { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: "75%" } } } }),
    become(unready, "ready"),
  ],
  "a StatefulSet keeps revisions up to its history limit and reuses a previous one": [
    create(statefulSet("db", { replicas: 1, revisionHistoryLimit: 1 })),
    patch(db, image("app:2")),
    patch(db, image("app:3")),
    patch(db, image("app:4")),
    patch(db, image("app:3")),
    patch(db, { spec: { template: { metadata: { labels: { extra: "x" } } } } }),
    remove(db, { propagationPolicy: "Foreground" }),
    create(statefulSet("db", { replicas: 2 })),
    patch(db, image("app:2")),
    remove(db, { propagationPolicy: "Orphan" }),
  ],
});
