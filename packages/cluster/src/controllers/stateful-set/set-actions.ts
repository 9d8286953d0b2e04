import type { NewObject } from "kubewright";
import type { StatefulSetStatus } from "kubewright/k8s/apps/v1";
import type { PersistentVolumeClaim } from "kubewright/k8s/core/v1";
import type { PodView } from "../pod/index.js";
import type { NewRevision, RevisionView } from "../revision/index.js";
import type { SetView } from "./ordinals.js";
import type { PvcView } from "./pvc-owners.js";
import type { NewStatefulPod } from "./stateful-pod.js";

type Patch = Readonly<Record<string, unknown>>;

/** One sync of a StatefulSet: the object, its draft status and the available actions. */
export interface SetRun {
  readonly set: SetView;
  /** A draft, written at the end of the sync. */
  readonly status: StatefulSetStatus;
  readonly nowMs: number;
  readonly createPod: (pod: NewStatefulPod) => Promise<PodView>;
  readonly patchPod: (name: string, patch: Patch) => Promise<PodView>;
  readonly deletePod: (name: string) => Promise<unknown>;
  readonly findPvc: (name: string) => Promise<PvcView | undefined>;
  readonly createPvc: (claim: NewObject<typeof PersistentVolumeClaim>) => Promise<unknown>;
  readonly patchPvc: (name: string, patch: Patch) => Promise<unknown>;
  readonly findRevision: (name: string) => Promise<RevisionView | undefined>;
  readonly createRevision: (revision: NewRevision) => Promise<RevisionView>;
  readonly renumber: (revision: RevisionView, to: number) => Promise<RevisionView>;
  readonly deleteRevision: (name: string) => Promise<unknown>;
  readonly event: (type: "Normal" | "Warning", reason: string, note: string) => void;
}
