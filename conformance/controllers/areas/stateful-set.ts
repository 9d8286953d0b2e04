import { image, statefulSet, template, volume } from "../objects.js";
import { area } from "../scenario.js";
import { become, create, newPods, patch, remove, removePods, scale, stopsEnd, stopsHang, wait } from "../step.js";

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

/** A volume that waits for the claim of one replica, so that which one it gets is no chance. */
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

/** What the stateful set controller does. */
export const statefulSetArea = area("stateful-set", {
  "a StatefulSet makes its pods one after the other, and removes them the other way round": [
    newPods("running"),
    create(statefulSet("db", { replicas: 3 })),
    become("db-0", "ready"),
    become("db-1", "ready"),
    become("db-0", "running"),
    become("db-2", "ready"),
    scale(db, 4),
    become("db-0", "ready"),
    become("db-3", "ready"),
    stopsHang,
    scale(db, 2),
    stopsEnd,
    scale(db, 0),
    remove(db),
  ],
  "a parallel StatefulSet makes and removes its pods at once": [
    newPods("running"),
    create(statefulSet("db", { replicas: 3, podManagementPolicy: "Parallel" })),
    become("db-1", "ready"),
    scale(db, 5),
    become(unready, "ready"),
    stopsHang,
    scale(db, 2),
    stopsEnd,
    patch(db, image("app:2")),
    become(unready, "ready"),
    become(unready, "ready"),
    removePods("db-0"),
    remove(db, { propagationPolicy: "Orphan" }),
  ],
  "a StatefulSet rolls its update out from the last pod to the first": [
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
  "a StatefulSet with a partition updates only the pods above it": [
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
  "a StatefulSet that updates on delete waits until its pods are deleted": [
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
  "a StatefulSet begins to count where its ordinals say": [
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
  "a StatefulSet makes claims for its pods, and keeps them when it shrinks and goes": [
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
  "a StatefulSet deletes the claims of replicas that it no longer has, and all when it goes, if it is told so": [
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
  "a StatefulSet whose update does not get ready stays, also when it is taken back, until the pod is deleted": [
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
  "a StatefulSet replaces pods that have ended": [
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
  "a StatefulSet may update several pods at once": [
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
  "a StatefulSet keeps as many revisions as its limit says, and reuses one that comes back": [
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
