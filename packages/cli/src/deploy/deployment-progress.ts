import { OperatorError } from "@kubewright/core/errors";
import type { Duration } from "@kubewright/core/meta";
import { asDuration, type Client, waitFor } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { Node, Pod } from "kubewright/k8s/core/v1";

/** Waits until a Deployment has rolled out, and reports each step. Rejects with the reason of its Pods when it does not within the timeout. */
export async function waitForRollout(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
  {
    timeout,
    report,
    signal,
  }: { readonly timeout: string; readonly report: (step: string) => void; readonly signal: AbortSignal | undefined },
): Promise<void> {
  let last = "";
  try {
    await waitFor(client, Deployment, key, {
      timeout: asDuration(timeout) as Duration,
      ...(signal && { signal }),
      until: (deployment) => {
        const { replicas: wanted = 1 } = deployment?.spec ?? {};
        const {
          updatedReplicas = 0,
          availableReplicas = 0,
          replicas = 0,
          observedGeneration = 0,
        } = deployment?.status ?? {};
        const step = `${availableReplicas} of ${wanted} replicas available`;
        if (step !== last) report(step);
        last = step;
        const isObserved = observedGeneration >= (deployment?.metadata.generation ?? 0);
        return isObserved && updatedReplicas >= wanted && replicas <= wanted && availableReplicas >= wanted;
      },
    });
  } catch (cause) {
    const reasons = await waitingReasons(client, key).catch(() => []);
    if (reasons.length === 0 || signal?.aborted) throw cause;
    throw new OperatorError(
      "WAIT_TIMEOUT",
      `Cannot deploy "${key.namespace}/${key.name}": it is not available after ${timeout}: ${reasons.join("; ")}`,
      { cause },
    );
  }
}

/** Why containers of a Deployment's Pods do not run. */
async function waitingReasons(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<string[]> {
  const { items } = await client.listPage(Pod, { namespace, labels: { "app.kubernetes.io/name": name } });
  const reasons = items.flatMap(({ metadata, status }) => [
    ...(status?.conditions ?? [])
      .filter(({ type, status: is }) => type === "PodScheduled" && is === "False")
      .map(({ message = "" }) => `Pod "${metadata.name}" is not scheduled: ${message}`),
    ...(status?.containerStatuses ?? []).flatMap(({ state }) => {
      const why = state?.waiting ?? state?.terminated;
      return why?.reason === undefined
        ? []
        : [`Pod "${metadata.name}": ${why.reason}${why.message ? `: ${why.message}` : ""}`];
    }),
  ]);
  return [...new Set(reasons)];
}

/** Whether all nodes are simulated, so that no container runs. */
export async function hasOnlySimulatedNodes(client: Client): Promise<boolean> {
  const { items } = await client.listPage(Node);
  return (
    items.length > 0 &&
    items.every(({ status }) => status?.nodeInfo?.containerRuntimeVersion?.startsWith("simulated://") === true)
  );
}
