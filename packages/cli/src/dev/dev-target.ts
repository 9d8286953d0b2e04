import { relative, resolve } from "node:path";
import { systemClock } from "@kubewright/core/clock";
import type { Transport } from "@kubewright/core/transport";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import { checkKubeconfigFile } from "../cluster-files.js";
import { serveRequests } from "../cluster-requests.js";
import { ClusterStates } from "../cluster-state.js";
import { replaceTerminated, serveCluster } from "../served-cluster.js";
import { setKubeconfig } from "../set-kubeconfig.js";
import { DevWebhooks } from "./dev-webhooks.js";

/** Which cluster an operator is developed on. */
export interface DevTargetOptions {
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly port?: number;
  readonly dataDir?: string;
  readonly nodes?: number;
}

/** The cluster that an operator is developed on, until it is disposed. */
export interface DevTarget extends AsyncDisposable {
  readonly transport: Transport;
  readonly url: string;
  /** Undefined where the cluster cannot call this process. */
  readonly webhooks: DevWebhooks | undefined;
  /** The file of an embedded cluster's kubeconfig; undefined for a context of the user's. */
  readonly kubeconfigFile: string | undefined;
  /** The command by which kubectl reaches the cluster in another terminal. */
  readonly kubeconfigLine: string;
  /** Starts controllers, scheduler and nodes of an embedded cluster in the background, where nothing has needed them before. */
  startControllers(): void;
  /** Handles what other commands ask for. Resolves when the signal aborts, or one of them asked it to stop. */
  untilStopped(signal: AbortSignal): Promise<void>;
}

/** A request for them needs the controllers of the embedded cluster. */
const podStages = "/apis/simulation.kubewright.dev/v1/podstages";

/** The name of the embedded cluster for `kubewright cluster status`. */
const name = "dev";

/** Connects to a context, or serves an embedded cluster. */
export async function openTarget(options: DevTargetOptions, environment: NodeJS.ProcessEnv): Promise<DevTarget> {
  const { context, kubeconfig, nodes = 1, port, dataDir } = options;
  if (context !== undefined || kubeconfig !== undefined) {
    const connection = await loadConnection({
      ...(context !== undefined && { context }),
      ...(kubeconfig !== undefined && { kubeconfig }),
    });
    const transport = new HttpsTransport(connection, { clock: systemClock, userAgent: "kubewright-dev" });
    return {
      transport,
      url: connection.server,
      webhooks: undefined,
      kubeconfigFile: undefined,
      kubeconfigLine: [
        ...(kubeconfig === undefined ? [] : [setKubeconfig(resolve(kubeconfig), process.platform)]),
        ...(context === undefined ? [] : [`kubectl config use-context ${context}`]),
      ].join("\n"),
      startControllers() {},
      untilStopped: aborted,
      [Symbol.asyncDispose]: () => transport.close(),
    };
  }
  const states = new ClusterStates(environment);
  await replaceTerminated(states, name);
  const kubeconfigFile = resolve(".kubewright/kubeconfig");
  await checkKubeconfigFile(kubeconfigFile);
  const webhooks = new DevWebhooks();
  const served = await serveCluster({
    name,
    states,
    environment,
    kubeconfigFile,
    // The operator is what the user waits for.
    workloads: { nodes, start: "when needed" },
    webhookTransport: webhooks.transport,
    ...(port !== undefined && { port }),
    ...(dataDir !== undefined && { dataDir }),
  });
  return {
    transport: served.cluster.transport,
    url: served.state.url,
    webhooks,
    kubeconfigFile,
    kubeconfigLine: setKubeconfig(relative(process.cwd(), kubeconfigFile), process.platform),
    startControllers: () => void served.cluster.transport.send({ method: "GET", path: podStages }),
    untilStopped: (signal) => serveRequests({ ...served, nodes }, states, signal),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
