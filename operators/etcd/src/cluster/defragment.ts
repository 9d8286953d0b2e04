import type { MemberView } from "./cluster-view.js";
import type { Step } from "./context.js";
import { change } from "./etcd-changes.js";
import { isHealthy } from "./member-state.js";

/** Defragments one member whose database file is large and mostly free. It does not serve meanwhile, so all others must; the leader is the last. */
export const defragment: Step = async ({ context, view, etcd, connect }) => {
  const { disabled = false, minFreePercent = 50, minBytes = 104_857_600 } = context.object.spec.defragmentation ?? {};
  const members = view.members.filter(({ entry }) => entry !== undefined);
  if (disabled || !members.every(isHealthy)) return undefined;
  const isWorth = ({ status }: MemberView): boolean =>
    status !== undefined &&
    status.dbSize >= minBytes &&
    (status.dbSize - status.dbSizeInUse) * 100 >= minFreePercent * status.dbSize;
  const fragmented = members.filter(isWorth);
  const next = fragmented.find((member) => member !== view.leader) ?? fragmented[0];
  const connection = next && connect(next);
  if (next === undefined || connection === undefined) return undefined;
  const message = `Member ${next.name} is being defragmented: ${next.status?.dbSizeInUse} of ${next.status?.dbSize} bytes are in use`;
  context.conditions.set("Defragmenting", { status: true, reason: "DefragmentingMember", message });
  const isDone = await change(context.log, async () => etcd.defragment(connection, context).then(() => true));
  return { shows: "Defragmenting", again: isDone ? "2s" : "30s" };
};
