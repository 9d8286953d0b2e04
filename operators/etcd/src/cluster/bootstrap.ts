import { Pod } from "kubewright/k8s/core/v1";
import { restoreDataOf } from "../restore/restore-data.js";
import type { Progress, Step } from "./context.js";
import { ensurePod } from "./member-pod.js";
import { hasEnded, hasVolume, isTerminating } from "./member-state.js";
import { ensureVolume, storageOf } from "./member-volume.js";
import { seedName } from "./names.js";

const wait: Progress = { again: "2s" };

/**
 * Creates the first member, until it serves.
 *
 * The name of the first member follows from the object, so a run that follows a crash finds its volume and its Pod. While the phase is `Creating` there is
 * no data that could be lost: a failed first member is created again.
 */
export const bootstrap: Step = async ({ context, view, version }) => {
  const { object, status, saveStatus, delete: remove, conditions, event } = context;
  if (status.phase === "Running" || status.phase === "Failed") return undefined;
  if (status.phase !== "Creating") {
    status.phase = "Creating";
    await saveStatus();
  }
  conditions.set("Available", { status: false, reason: "Creating", message: "The first member is being created" });
  const name = seedName(object);
  const seed = view.members.find((member) => member.name === name);
  if (view.list !== undefined && seed?.status !== undefined) {
    status.phase = "Running";
    if (restoreDataOf(object) !== undefined) {
      const message = "The data is that of a backup: what was written after it is lost";
      conditions.set("DataLost", { status: true, reason: "RestoredFromBackup", message });
    }
    await saveStatus();
    event("Normal", "New Member Added", `New member ${name} added to cluster`);
    return { again: 0 };
  }
  if (seed !== undefined && isTerminating(seed)) return wait;
  if (seed !== undefined && hasEnded(seed)) {
    await remove(Pod, name);
    return wait;
  }
  if (seed?.pod !== undefined) return wait;
  const storage = await storageOf(object, context);
  const isDurable = storage.kind === "volume" || (seed !== undefined && hasVolume(seed));
  if (storage.kind === "volume" && isDurable) await ensureVolume(context, name, storage.claim);
  await ensurePod(context, {
    cluster: object,
    member: name,
    version,
    start: { kind: "new" },
    hasVolume: isDurable,
    restore: restoreDataOf(object),
  });
  return wait;
};
