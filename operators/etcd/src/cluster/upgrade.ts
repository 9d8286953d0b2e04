import { Pod } from "kubewright/k8s/core/v1";
import type { ClusterView, MemberView } from "./cluster-view.js";
import type { ClusterRun, Step } from "./context.js";
import { handOver } from "./etcd-changes.js";
import { hasStarted, isHealthy, isVoter } from "./member-state.js";
import { replacedContainerAnnotation, versionAnnotation } from "./names.js";

/** A member that is so many entries behind the leader has to catch up before the next one restarts. */
const maxLag = 1_000n;

/**
 * Upgrades one member: its Pod gets the new image, and its data stays where it is. The next one follows when all members are healthy, the leader last.
 *
 * Which member is being upgraded is a fact of its Pod: the ID of the container that must go. So a second upgrade during one, or the return to the version
 * before, needs no state: every Pod that does not have the version of the spec gets it, beginning with the one that is not healthy.
 */
export const upgrade: Step = async (run) => {
  const { context, view, version } = run;
  const { conditions, status } = context;
  const members = view.members.filter(({ entry }) => entry !== undefined);
  const outdated = members.filter((member) => versionOf(member) !== version);
  const isBusy = members.some(isReplacing);
  if (outdated.length === 0 && !isBusy) {
    status.targetVersion = undefined;
    return undefined;
  }
  status.targetVersion = version;
  const failing = members.filter((member) => isReplacing(member) || !isHealthy(member) || isBehind(view, member));
  const stuck = failing.find((member) => outdated.includes(member) && isReplacing(member));
  if (stuck !== undefined) return patch(run, stuck);
  if (failing.length > 0 || !members.every((member) => hasStarted(member) && isVoter(member))) {
    const message = `The upgrade to ${version} goes on when these members are healthy: ${failing.map(({ name }) => name).join(", ")}`;
    conditions.set("Upgrading", { status: true, reason: "WaitingForMember", message });
    return { shows: "Upgrading", again: "2s" };
  }
  const next = outdated.find((member) => member !== view.leader) ?? outdated[0];
  if (next === undefined) return { shows: "Upgrading", again: "2s" };
  const message = `Member ${next.name} hands over the leadership before it is upgraded to ${version}`;
  conditions.set("Upgrading", { status: true, reason: "UpgradingMember", message });
  if (next === view.leader && (await handOver(run))) return { shows: "Upgrading", again: 0 };
  return patch(run, next);
};

async function patch({ context, version }: ClusterRun, member: MemberView) {
  const { conditions, event, object, patch: patchObject } = context;
  const { name } = member;
  const from = versionOf(member);
  const message = `Member ${name} is being upgraded from ${from} to ${version}`;
  conditions.set("Upgrading", { status: true, reason: "UpgradingMember", message });
  const annotations = { [versionAnnotation]: version, [replacedContainerAnnotation]: containerOf(member) ?? "" };
  const containers = [{ name: "etcd", image: `${object.spec.repository}:v${version}` }];
  await patchObject(Pod, name, { strategic: { metadata: { annotations }, spec: { containers } } });
  event("Normal", "Member Upgraded", `Member ${name} upgraded from ${from} to ${version}`);
  return { shows: "Upgrading", again: "2s" } as const;
}

/** The version by the annotation of its Pod. */
export function versionOf({ pod }: MemberView): string | undefined {
  return pod?.metadata.annotations?.[versionAnnotation];
}

/** Whether its Pod has a new image, and still the old container. */
function isReplacing(member: MemberView): boolean {
  const replaced = member.pod?.metadata.annotations?.[replacedContainerAnnotation];
  return replaced !== undefined && replaced !== "" && replaced === containerOf(member);
}

function containerOf({ pod }: MemberView): string | undefined {
  return pod?.status?.containerStatuses?.find(({ name }) => name === "etcd")?.containerID;
}

function isBehind({ leader }: ClusterView, { status }: MemberView): boolean {
  return status === undefined || (leader?.status?.raftIndex ?? 0n) - status.raftIndex > maxLag;
}
