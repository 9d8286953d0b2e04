import type { CertificateAuthority } from "@kubewright/core/certificates";
import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { JsonObject } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import type { Duration } from "@kubewright/core/meta";
import type { Transport } from "@kubewright/core/transport";
import {
  type AnyController,
  type Client,
  createClient,
  isAlreadyExists,
  operator,
  type RunningOperator,
} from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { StorageClass } from "kubewright/k8s/storage/v1";
import { type ExpressionWarnings, standardClass, workloadControllers } from "../controllers/index.js";
import { type NodeOptions, nodeControllers, podStageDefinition, type ServeMetrics } from "../node/index.js";
import { schedulerControllers } from "../scheduler/index.js";

/** Options of controllers, scheduler and simulated nodes. */
export interface WorkloadOptions extends NodeOptions {
  /**
   * When to start: `"at once"`, before the API server serves; `"meanwhile"`, in the background while it serves; or `"when needed"`, with the
   * first object that needs them, such as a Deployment, a Pod or a Service. Until then there is no Node, no StorageClass and no PodStage CRD.
   * @default "at once"
   */
  readonly start?: "at once" | "meanwhile" | "when needed";
  /** How long a kubelet may send no heartbeat until its node is marked as not ready, as `--node-monitor-grace-period`. @default "50s" */
  readonly nodeMonitorGracePeriod?: Duration;
  /** Names of controllers to disable, such as `"node-controller"`. @default none */
  readonly without?: readonly string[];
}

/** What workloads need from their cluster. */
export interface WorkloadServices {
  /** In-process requests as the administrator, to install what workloads need. */
  readonly transport: Transport;
  /** In-process requests as a controller, by its name; without one, as kube-controller-manager. */
  transportFor(controller?: string): Transport;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** The cluster's certificate authority, created on first use. */
  readonly authority: () => CertificateAuthority;
  /** Signs ServiceAccount tokens. */
  readonly signToken: (claims: JsonObject) => string;
  /** Type-checks the expressions of admission policies. */
  readonly expressionWarnings: ExpressionWarnings;
  /** Serves an aggregated metrics API whose objects are computed on each read. */
  readonly serve: ServeMetrics;
}

/** Running controllers, scheduler and nodes. */
export interface RunningWorkloads {
  /** Whether no work is queued or running. Only a change or a timer can start more. */
  readonly idle: boolean;
  /** Descriptions of the running work. */
  busy(): readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts controllers, scheduler and nodes as one operator, so that they share informers. Resolves once all of them
 * are running.
 */
export async function startWorkloads(
  { transport, transportFor, clock, logger, random, authority, signToken, expressionWarnings, serve }: WorkloadServices,
  options: WorkloadOptions = {},
): Promise<RunningWorkloads> {
  const administrator = createClient(transport);
  const clientOf = (controller: string): Client => createClient(transportFor(controller));
  const nodes = nodeControllers(options, { serve, readKubelet: kubeletReader(transport) });
  const { nodes: simulated = 1 } = options;
  const hasNodes = (typeof simulated === "number" ? simulated : simulated.length) > 0;
  if (hasNodes) {
    const write = { fieldManager: "kubewright", force: true };
    await administrator.apply(CustomResourceDefinition, podStageDefinition, write);
  }
  const { without = [] } = options;
  let resolveStarted: (running: RunningOperator) => void = () => {};
  const started = new Promise<RunningOperator>((resolve) => {
    resolveStarted = resolve;
  });
  const add = async (controller: AnyController): Promise<void> => (await started).add(controller);
  const { nodeMonitorGracePeriod = "50s" } = options;
  const all = [
    ...workloadControllers({
      clientOf,
      add,
      authority,
      signToken,
      expressionWarnings,
      hasNodes,
      nodeMonitorGracePeriod,
    }),
    ...schedulerControllers(),
    ...nodes,
  ];
  const unknown = without.filter((name) => !all.some((controller) => controller.name === name));
  if (unknown.length > 0) {
    const names = all
      .map(({ name }) => name)
      .sort()
      .join(", ");
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot disable "${unknown.join('", "')}": no such controller; the controllers are ${names}`,
    );
  }
  const controllers = all.filter(({ name }) => !without.includes(name));
  // Before any controller runs, so that the first PVCs already get the default StorageClass.
  if (controllers.some(({ name }) => name === "storage-provisioner")) await createClass(administrator);
  const running = await operator({ name: "kube-controller-manager", controllers }).start({
    transport: transportFor(),
    transportFor: ({ name }) => transportFor(name),
    clock,
    logger,
    random,
    runHistory: false,
    // kube-controller-manager records none.
    failureEvents: false,
  });
  resolveStarted(running);
  return {
    get idle() {
      return running.idle;
    },
    busy: () => running.busy(),
    stop: () => running.stop(),
  };
}

/** How long a kubelet may take to report what it measured. */
const reportMs = 10_000;

/** Asks kubelets through the API server, which knows their addresses and certificates. */
function kubeletReader(transport: Transport) {
  return async (node: string): Promise<string> => {
    const path = `/api/v1/nodes/${node}/proxy/metrics/resource`;
    const { status, body } = await transport.send({ method: "GET", path, signal: AbortSignal.timeout(reportMs) });
    if (status !== 200 || typeof body !== "string") throw new Error(`GET ${path} returned ${status}`);
    return body;
  };
}

/** Creates the default StorageClass unless it exists. */
async function createClass(client: Client): Promise<void> {
  try {
    await client.create(StorageClass, standardClass, { fieldManager: "kubewright" });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
