import { EtcdError, type EtcdMember } from "../members/etcd-members.js";
import type { ClusterRun } from "./context.js";
import { isHealthy, isVoter } from "./member-state.js";

/** Removes a member from etcd. Returns false if etcd does not allow it now; a member that is not listed is removed. */
export async function removeMember({ etcd, view, context }: ClusterRun, { id }: EtcdMember): Promise<boolean> {
  return change(context.log, async () => {
    if (view.endpoint === undefined) return false;
    await etcd.remove(view.endpoint, id, context).catch((error: unknown) => {
      if (!(error instanceof EtcdError) || error.reason !== "memberNotFound") throw error;
    });
    return true;
  });
}

/** Makes a change that etcd may not allow yet: members are tried again later, so that a rejection is no failure of the run. */
export async function change(log: ClusterRun["context"]["log"], attempt: () => Promise<boolean>): Promise<boolean> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
    log.debug({ reason: error.reason, error: error.message }, "etcd does not allow a change yet");
    return false;
  }
}

/** Moves the leadership to another member, so that no election interrupts writes. Returns false if there is no other. */
export async function handOver({ context, view, etcd, connect }: ClusterRun): Promise<boolean> {
  const { leader } = view;
  const successor = view.members.find((member) => member !== leader && isVoter(member) && isHealthy(member))?.entry;
  const connection = leader && connect(leader);
  if (successor === undefined || connection === undefined) return false;
  return change(context.log, async () => {
    await etcd.moveLeader(connection, successor.id, context);
    return true;
  });
}
