import type { Step } from "./context.js";
import { change } from "./etcd-changes.js";
import { newMemberName, peerURL } from "./names.js";
import { wantedSize } from "./placement.js";

/**
 * Adds a member to etcd, as a learner: it copies the data without a vote, so that a slow or broken new member endangers no quorum.
 *
 * The name of the member is in its peer URL. A run that crashes after this call therefore loses nothing: the next one finds a member that has not started,
 * and creates its Pod.
 */
export const grow: Step = async (run) => {
  const { context, view, etcd } = run;
  const { object, conditions, event, log } = context;
  const wanted = wantedSize(run);
  if (view.list === undefined || view.endpoint === undefined || view.list.length >= wanted) return undefined;
  const message = `The cluster grows from ${view.list.length} to ${wanted} members`;
  conditions.set("Scaling", { status: true, reason: "AddingMember", message });
  const { endpoint } = view;
  const name = newMemberName(object.metadata.name);
  const isAdded = await change(log, async () => {
    await etcd.addLearner(endpoint, peerURL(object, name), context);
    return true;
  });
  if (isAdded) event("Normal", "New Member Added", `New member ${name} added to cluster`);
  return { shows: "Scaling", again: isAdded ? 0 : "2s" };
};

/** Gives a learner a vote once it has caught up. */
export const promote: Step = async ({ context, view, etcd }) => {
  const learner = view.members.find(({ entry }) => entry?.isLearner === true);
  if (learner?.entry === undefined || view.endpoint === undefined) return undefined;
  const { conditions, log } = context;
  const { endpoint } = view;
  const { name, entry } = learner;
  const message = `Member ${name} copies the data before it gets a vote`;
  conditions.set("Scaling", { status: true, reason: "CatchingUp", message });
  if (learner.status === undefined) return { shows: "Scaling", again: "2s" };
  const isPromoted = await change(log, async () => {
    await etcd.promote(endpoint, entry.id, context);
    return true;
  });
  return { shows: "Scaling", again: isPromoted ? 0 : "2s" };
};
