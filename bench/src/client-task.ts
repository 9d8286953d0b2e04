/**
 * One task of one client in a separate process, so that the clients share neither JIT state nor heap. Packages resolve as for a user: built.
 *
 * Called by `client.ts` with a {@link ClientTask} as JSON; prints the times in milliseconds as JSON: CPU time for lists and watches, otherwise elapsed time.
 */
import { argv, cpuUsage, exit, memoryUsage } from "node:process";

/** A task, its client and its server. */
export interface ClientTask {
  readonly peer: "kubewright" | "client-node";
  readonly work:
    | { readonly kind: "list"; readonly runs: number; readonly how: "whole" | "paged" }
    | { readonly kind: "watch"; readonly runs: number }
    | { readonly kind: "requests"; readonly count: number; readonly concurrency: number };
  readonly kubeconfig: string;
}

/** The times of a task, and the resident memory at its end. */
export interface ClientTaskResult {
  readonly timesMs: readonly number[];
  readonly residentMb: number;
  /** Objects, events or responses of each run: equal for both clients. */
  readonly seen: number;
}

interface Peer {
  list(): Promise<number>;
  watch(): Promise<number>;
  get(): Promise<number>;
  close(): Promise<void>;
}

const [, , text = ""] = argv;
const task = JSON.parse(text) as ClientTask;
console.log(JSON.stringify(await run(task)));
exit(0);

async function run({ work, peer, kubeconfig }: ClientTask): Promise<ClientTaskResult> {
  const client = await (peer === "kubewright" ? openKubewright(kubeconfig, work) : openClientNode(kubeconfig));
  let seen = 0;
  const once = async (): Promise<void> => {
    switch (work.kind) {
      case "list":
        seen = await client.list();
        return;
      case "watch":
        seen = await client.watch();
        return;
      case "requests":
        seen = await getAll(work.concurrency, work.count, client.get);
        return;
      default:
        work satisfies never;
    }
  };
  await once();
  const timesMs: number[] = [];
  // Decoding is measured in CPU time, which other load does not affect; requests include waiting.
  const elapsedMs = work.kind === "requests" ? () => performance.now() : cpuMs;
  for (let count = 0; count < (work.kind === "requests" ? 3 : work.runs); count++) {
    const startedMs = elapsedMs();
    await once();
    timesMs.push(elapsedMs() - startedMs);
  }
  await client.close();
  return { timesMs, residentMb: resident(), seen };
}

async function getAll(concurrency: number, count: number, get: () => Promise<number>): Promise<number> {
  let left = count;
  let seen = 0;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const count = await get();
      seen += count;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return seen;
}

async function openKubewright(kubeconfig: string, work: ClientTask["work"]): Promise<Peer> {
  const { connect } = await import("kubewright");
  const { ConfigMap, Pod } = await import("kubewright/k8s/core/v1");
  const client = await connect({ kubeconfig });
  const how = work.kind === "list" ? work.how : "whole";
  return {
    list: async () => {
      if (how !== "paged") {
        return (await client.listPage(Pod, { allNamespaces: true })).items.length;
      }
      let seen = 0;
      for await (const { metadata } of client.list(Pod, { allNamespaces: true })) seen += metadata.name === "" ? 0 : 1;
      return seen;
    },
    watch: async () => {
      let seen = 0;
      for await (const event of await client.watch(Pod, { allNamespaces: true, resourceVersion: "1" })) {
        if (event.type === "MODIFIED" && event.object.metadata.name !== "") seen++;
      }
      return seen;
    },
    get: async () => ((await client.get(ConfigMap, "settings")).metadata.name === "settings" ? 1 : 0),
    close: () => client.close(),
  };
}

async function openClientNode(kubeconfig: string): Promise<Peer> {
  const { CoreV1Api, KubeConfig, Watch } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  return {
    list: async () => (await core.listPodForAllNamespaces()).items.length,
    watch: () =>
      new Promise((resolve, reject) => {
        let seen = 0;
        const onEvent = (type: string, object: { metadata?: { name?: string } }): void => {
          if (type === "MODIFIED" && object.metadata?.name !== "") seen++;
        };
        const onEnd = (error: unknown): void => (error === null ? resolve(seen) : reject(error));
        void new Watch(config).watch("/api/v1/pods", { resourceVersion: "1" }, onEvent, onEnd);
      }),
    get: async () => {
      const { metadata } = await core.readNamespacedConfigMap({ namespace: "default", name: "settings" });
      return metadata?.name === "settings" ? 1 : 0;
    },
    close: async () => {},
  };
}

/** CPU time of all threads of this process, including garbage collection and compilation. */
function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1_000;
}

function resident(): number {
  return memoryUsage.rss() / 1024 / 1024;
}
