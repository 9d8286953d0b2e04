import { Quantity, type QuantityFormat } from "@kubewright/core/quantity";
import { type LabelSelector, labelSelectorFrom } from "@kubewright/core/selector";
import type { MetricValueStatus } from "kubewright/k8s/autoscaling/v2";
import { goSelectorString } from "../ownership/index.js";
import { isPodReady } from "../pod/index.js";
import type { ReadMetric, ReadMetricStatus, ReadPod } from "./autoscaler-objects.js";
import { messageOf } from "./client-message.js";
import type { MetricApis } from "./metric-apis.js";
import { groupPods, type PodSample } from "./pod-groups.js";
import { milliOf, podRequests } from "./pod-requests.js";
import {
  byAverageValue,
  byUtilization,
  type Measured,
  type PodUsage,
  replicasByAverageValue,
  replicasByPods,
  replicasByValue,
} from "./replica-count.js";
import type { Tolerances } from "./tolerances.js";

/** The replica count that one metric proposes. */
export interface Proposal {
  readonly replicas: number;
  /** The metric's name in events and conditions. */
  readonly name: string;
  readonly status: ReadMetricStatus;
}

/** Why a metric has no proposal. */
export class MetricFailure extends Error {
  /** The reason of the condition and the event. */
  readonly reason: string;
  /** The detail in the message of the condition and the event. */
  readonly detail: string;

  constructor(reason: string, detail: string, message: string) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

/** The workload that is scaled. */
export interface Workload {
  readonly namespace: string;
  /** `spec.replicas` and `status.replicas` of the scale. */
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly selector: LabelSelector;
  readonly pods: readonly ReadPod[];
  readonly tolerances: Tolerances;
  readonly nowMs: number;
}

/** The proposal of a metric. Throws a {@link MetricFailure} with kube-controller-manager's message. */
export async function proposalOf(metric: ReadMetric, workload: Workload, apis: MetricApis): Promise<Proposal> {
  const { resource, containerResource, pods, object, external } = metric;
  if (metric.type === "Resource" && resource !== undefined)
    return asMetricFailure(
      "FailedGetResourceMetric",
      (why) => `failed to get ${resource.name} resource metric value: ${why}`,
      async () => {
        const { current, ...rest } = await resourceProposal(resource, undefined, workload, apis);
        return { ...rest, status: { type: "Resource", resource: { name: resource.name, current } } };
      },
    );
  if (metric.type === "ContainerResource" && containerResource !== undefined)
    return asMetricFailure(
      "FailedGetContainerResourceMetric",
      (why) => `failed to get ${containerResource.container} container metric value: ${why}`,
      async () => {
        const { name, container } = containerResource;
        const { current, ...rest } = await resourceProposal(containerResource, container, workload, apis);
        return { ...rest, status: { type: "ContainerResource", containerResource: { name, container, current } } };
      },
    );
  if (metric.type === "Pods" && pods !== undefined)
    return asMetricFailure(
      "FailedGetPodsMetric",
      (why) => `failed to get pods metric value: ${why}`,
      () => podsProposal(pods, workload, apis),
    );
  if (metric.type === "Object" && object !== undefined)
    return asMetricFailure(
      "FailedGetObjectMetric",
      (why) =>
        `failed to get object metric value: ${perPodPrefix(object.target, `${object.metric.name} object metric`)}${why}`,
      () => objectProposal(object, workload, apis),
    );
  if (metric.type === "External" && external !== undefined)
    return asMetricFailure(
      "FailedGetExternalMetric",
      (why) => {
        const { name } = external.metric;
        const how =
          external.target.averageValue !== undefined
            ? `failed to get ${name} external metric: `
            : `failed to get external metric ${name}: `;
        return `failed to get ${name} external metric value: ${how}${why}`;
      },
      () => externalProposal(external, workload, apis),
    );
  const why = `unknown metric source type ${JSON.stringify(metric.type)}`;
  throw new MetricFailure("InvalidMetricSourceType", why, why);
}

async function asMetricFailure(
  reason: string,
  within: (why: string) => string,
  propose: () => Promise<Proposal>,
): Promise<Proposal> {
  try {
    return await propose();
  } catch (error) {
    const why = messageOf(error);
    throw new MetricFailure(reason, why, within(why));
  }
}

function perPodPrefix({ type }: { readonly type: string }, what: string): string {
  return type === "AverageValue" ? `failed to get ${what}: ` : "";
}

type ResourceMetric = NonNullable<ReadMetric["resource"]>;

async function resourceProposal(
  { name: resource, target }: ResourceMetric,
  container: string | undefined,
  workload: Workload,
  apis: MetricApis,
): Promise<Omit<Proposal, "status"> & { readonly current: MetricValueStatus }> {
  const { namespace, selector, pods } = workload;
  const format = resource === "memory" ? "BinarySI" : "DecimalSI";
  const samplesOf = (): Promise<Map<string, PodSample>> =>
    within(`unable to get metrics for resource ${resource}: `, () =>
      apis.podResource(namespace, selector.toString(), resource, container),
    );
  if (target.averageValue !== undefined) {
    const targetMilli = milliOf(target.averageValue);
    const { replicas, measured } = await within(`failed to get ${resource} usage: `, async () =>
      byPods(workload, await samplesOf(), resource, () => ({
        measure: byAverageValue(targetMilli),
        assumed: () => targetMilli,
      })),
    );
    return {
      replicas,
      name: `${resource} resource`,
      current: { averageValue: quantity(measured.averageMilli, format) },
    };
  }
  const { averageUtilization } = target;
  if (averageUtilization === undefined)
    throw new Error(
      "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set",
    );
  const { replicas, measured } = await within(`failed to get ${resource} utilization: `, async () =>
    byPods(workload, await samplesOf(), resource, () => {
      const requests = podRequests(pods, resource, container);
      // Pods without metrics are assumed to use all that they request.
      const share = BigInt(Math.max(100, averageUtilization));
      return {
        measure: byUtilization(requests, averageUtilization),
        assumed: (pod) => ((requests.get(pod) ?? 0n) * share) / 100n,
      };
    }),
  );
  const current = {
    averageUtilization: measured.utilization ?? 0,
    averageValue: quantity(measured.averageMilli, format),
  };
  const what = container === undefined ? "resource" : "container resource";
  return { replicas, name: `${resource} ${what} utilization (percentage of request)`, current };
}

async function podsProposal(
  { metric, target }: NonNullable<ReadMetric["pods"]>,
  workload: Workload,
  apis: MetricApis,
): Promise<Proposal> {
  const { namespace, selector } = workload;
  const only = metricSelector(metric);
  const samples = await within(`unable to get metric ${metric.name}: `, () =>
    apis.podMetric(namespace, selector.toString(), metric.name, only),
  );
  const targetMilli = milliOf(target.averageValue ?? "0");
  const how = { measure: byAverageValue(targetMilli), assumed: () => targetMilli };
  const { replicas, measured } = byPods(workload, samples, "", () => how);
  const current = { averageValue: quantity(measured.averageMilli) };
  return { replicas, name: `pods metric ${metric.name}`, status: { type: "Pods", pods: { metric, current } } };
}

async function objectProposal(
  { metric, target, describedObject }: NonNullable<ReadMetric["object"]>,
  workload: Workload,
  apis: MetricApis,
): Promise<Proposal> {
  const { namespace, specReplicas, statusReplicas, tolerances } = workload;
  const only = metricSelector(metric);
  const read = async (): Promise<bigint> => {
    try {
      return await apis.objectMetric(namespace, describedObject, metric.name, only);
    } catch (error) {
      // The order of this message is kube-controller-manager's.
      const { kind, name } = describedObject;
      throw new Error(`unable to get metric ${metric.name}: ${kind} on ${namespace} ${name}/${messageOf(error)}`);
    }
  };
  const status = (current: MetricValueStatus) => ({ type: "Object", object: { describedObject, metric, current } });
  if (target.type === "Value" && target.value !== undefined) {
    const milli = await read();
    const ratio = Number(milli) / Number(milliOf(target.value));
    const replicas = replicasByValue(specReplicas, ratio, () => readyPods(workload), tolerances);
    const name = `${describedObject.kind} metric ${metric.name}`;
    return { replicas, name, status: status({ value: quantity(milli) }) };
  }
  if (target.type === "AverageValue" && target.averageValue !== undefined) {
    const { replicas, averageMilli } = replicasByAverageValue(
      statusReplicas,
      await read(),
      milliOf(target.averageValue),
      tolerances,
    );
    return { replicas, name: externalName(metric), status: status({ averageValue: quantity(averageMilli) }) };
  }
  throw new Error("invalid object metric source: neither a value target nor an average value target was set");
}

async function externalProposal(
  { metric, target }: NonNullable<ReadMetric["external"]>,
  workload: Workload,
  apis: MetricApis,
): Promise<Proposal> {
  const { namespace, specReplicas, statusReplicas, tolerances } = workload;
  const only = metricSelector(metric);
  const total = async (): Promise<bigint> => {
    const values = await within(
      `unable to get external metric ${namespace}/${metric.name}/${goSelectorString(metric.selector)}: `,
      () => apis.external(namespace, metric.name, only),
    );
    return values.reduce((sum, value) => sum + value, 0n);
  };
  const name = externalName(metric);
  const status = (current: MetricValueStatus) => ({ type: "External", external: { metric, current } });
  if (target.averageValue !== undefined) {
    const { replicas, averageMilli } = replicasByAverageValue(
      statusReplicas,
      await total(),
      milliOf(target.averageValue),
      tolerances,
    );
    return { replicas, name, status: status({ averageValue: quantity(averageMilli) }) };
  }
  if (target.value !== undefined) {
    const milli = await total();
    const ratio = Number(milli) / Number(milliOf(target.value));
    const replicas = replicasByValue(specReplicas, ratio, () => readyPods(workload), tolerances);
    return { replicas, name, status: status({ value: quantity(milli) }) };
  }
  throw new Error("invalid external metric source: neither a value target nor an average value target was set");
}

/** The proposal by Pod usage. `how` runs last, so that errors about the Pods come before errors about their requests. */
function byPods(
  { specReplicas, pods, tolerances, nowMs }: Workload,
  samples: ReadonlyMap<string, PodSample>,
  resource: string,
  how: () => Pick<PodUsage, "measure" | "assumed">,
): { readonly replicas: number; readonly measured: Measured } {
  if (pods.length === 0) throw new Error(noPods);
  const groups = groupPods(pods, samples, resource, nowMs);
  let known: Pick<PodUsage, "measure" | "assumed"> | undefined;
  const lazily = (): Pick<PodUsage, "measure" | "assumed"> => {
    known ??= how();
    return known;
  };
  const usage: PodUsage = {
    samples,
    groups,
    measure: (used) => lazily().measure(used),
    assumed: (pod) => lazily().assumed(pod),
  };
  return replicasByPods(specReplicas, usage, tolerances);
}

const noPods = "no pods returned by selector while calculating replica count";

function readyPods({ pods }: Workload): number {
  if (pods.length === 0) throw new Error(`unable to calculate ready pods: ${noPods}`);
  return pods.filter((pod) => pod.status?.phase === "Running" && isPodReady(pod)).length;
}

type Identified = NonNullable<ReadMetric["pods"]>["metric"];

/** The metric's label selector as a string; "" selects all series. */
function metricSelector({ selector }: Identified): string {
  return selector === undefined ? "" : labelSelectorFrom(selector).toString();
}

function externalName({ name, selector }: Identified): string {
  return `external metric ${name}(${goSelectorString(selector)})`;
}

async function within<T>(prefix: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new Error(`${prefix}${messageOf(error)}`, { cause: error });
  }
}

function quantity(milli: bigint, format: QuantityFormat = "DecimalSI"): string {
  if (format === "BinarySI" && milli % 1_000n === 0n) return Quantity.of(milli / 1_000n, format).toString();
  return Quantity.parse(`${milli}m`).toString();
}
