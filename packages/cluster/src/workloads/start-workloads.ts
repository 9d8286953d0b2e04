import type { CertificateAuthority } from "@kubewright/core/certificates";
import type { Clock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { JsonObject } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
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
import { standardClass, workloadControllers } from "../controllers/index.js";
import { type NodeOptions, nodeControllers, podStageDefinition, type ServeMetrics } from "../node/index.js";
import { schedulerControllers } from "../scheduler/index.js";

/** What runs workloads in a cluster. */
export interface WorkloadOptions extends NodeOptions {
  /**
   * Whether they run from the beginning; or are started while the server answers already; or run from the first object on that calls for them, such
   * as a Deployment, a Pod or a Service: whoever has none does not pay for them. Until then there is no node, no StorageClass and no kind PodStage.
   * @default "at once"
   */
  readonly start?: "at once" | "meanwhile" | "when needed";
  /** Controllers that are not to run, by their names, such as `"node-controller"`. @default none */
  readonly without?: readonly string[];
}

/** What workloads need of the cluster that they run in. */
export interface WorkloadServices {
  /** Requests in process, as an administrator. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** The authority of the cluster, made when it is first asked for. */
  readonly authority: () => CertificateAuthority;
  /** Signs tokens of service accounts. */
  readonly signToken: (claims: JsonObject) => string;
  /** Serves metrics that are worked out when they are asked for. */
  readonly serve: ServeMetrics;
}

/** Controllers, scheduler and nodes at work. */
export interface RunningWorkloads {
  /** Nothing is left to do until something happens or its time comes. */
  readonly idle: boolean;
  /** What is under way, in words. */
  busy(): readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts controllers, scheduler and nodes as one operator, so that they share their copies of the cluster's objects. Resolves when all of
 * them are at work.
 */
export async function startWorkloads(
  { transport, clock, logger, random, authority, signToken, serve }: WorkloadServices,
  options: WorkloadOptions = {},
): Promise<RunningWorkloads> {
  const client = createClient(transport);
  const nodes = nodeControllers(options, serve);
  if (nodes.length > 0) {
    const write = { fieldManager: "kubewright", force: true };
    await client.apply(CustomResourceDefinition, podStageDefinition, write);
  }
  const { without = [] } = options;
  let begin: (running: RunningOperator) => void = () => {};
  const begun = new Promise<RunningOperator>((resolve) => {
    begin = resolve;
  });
  const add = async (controller: AnyController): Promise<void> => (await begun).add(controller);
  const all = [
    ...workloadControllers({ client, add, authority, signToken, hasNodes: nodes.length > 0 }),
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
      `Cannot start workloads without "${unknown.join('", "')}": the controllers are ${names}`,
    );
  }
  const controllers = all.filter(({ name }) => !without.includes(name));
  // Before anything runs: claims that come first have their class at once.
  if (controllers.some(({ name }) => name === "storage-provisioner")) await createClass(client);
  const running = await operator({ name: "kube-controller-manager", controllers }).start({
    transport,
    clock,
    logger,
    random,
  });
  begin(running);
  return {
    get idle() {
      return running.idle;
    },
    busy: () => running.busy(),
    stop: () => running.stop(),
  };
}

/** Makes the class of claims that name none, where it is not there from before. */
async function createClass(client: Client): Promise<void> {
  try {
    await client.create(StorageClass, standardClass, { fieldManager: "kubewright" });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
