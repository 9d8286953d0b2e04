import type { ClusterView } from "./cluster-view.js";
import type { ClusterContext } from "./context.js";
import { isHealthy } from "./member-state.js";
import { storageOf } from "./member-volume.js";
import { clientPort } from "./names.js";
import { clientServiceName } from "./services.js";
import { versionOf } from "./upgrade.js";
import { lowestVersion } from "./version.js";

/** Writes what a run observed into the status. */
export async function report(context: ClusterContext, view: ClusterView): Promise<void> {
  const { object, status, conditions } = context;
  const members = view.list === undefined ? view.members : view.members.filter(({ entry }) => entry !== undefined);
  const namesOf = (isReady: boolean) =>
    members.filter((member) => isHealthy(member) === isReady).map(({ name }) => name);
  const [ready, unready] = [namesOf(true), namesOf(false)];
  status.size = members.filter(({ pod }) => pod !== undefined).length;
  status.members = { ...(ready.length > 0 && { ready }), ...(unready.length > 0 && { unready }) };
  status.serviceName = clientServiceName(object.metadata.name);
  status.clientPort = clientPort;
  status.currentVersion = lowestVersion(members.flatMap((member) => versionOf(member) ?? [])) ?? status.currentVersion;
  const reported = members.flatMap((member) => (member.status === undefined ? [] : [member.status.version]));
  status.serverVersion = lowestVersion(reported) ?? status.serverVersion;

  const storage = await storageOf(object, context);
  if (storage.kind === "volume") conditions.remove("Ephemeral");
  else {
    const why =
      storage.reason === "OptedOut"
        ? "spec.storage.ephemeral is true"
        : "the cluster has no default StorageClass, and spec.storage names none";
    const message = `The data of a member is lost with its Pod: ${why}`;
    conditions.set("Ephemeral", { status: true, reason: storage.reason, message });
  }
  if (status.phase !== "Running") return;
  if (view.list !== undefined) {
    const message = `${ready.length} of ${view.list.length} members are healthy`;
    conditions.set("Available", { status: true, reason: "QuorumHealthy", message });
  } else if (view.members.length === 0) {
    conditions.set("Available", { status: false, reason: "NoMembers", message: "No member and no volume is left" });
  } else {
    const message = `${ready.length} of ${view.members.length} known members respond with a leader: there is no quorum`;
    conditions.set("Available", { status: false, reason: "QuorumLost", message });
  }
}
