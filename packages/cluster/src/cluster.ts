import { randomFillSync, randomUUID } from "node:crypto";
import { type Clock, systemClock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import { type Logger, silentLogger } from "@kubewright/core/log";
import type { Transport } from "@kubewright/core/transport";
import { AccessControl, administratorAuthorizer, clientCertificates } from "./access/index.js";
import { AdmissionChain, defaultPlugins } from "./admission/index.js";
import { Handler, InProcessTransport, type LogSource } from "./apiserver/index.js";
import type { Audit } from "./audit/index.js";
import { clusterAuthority } from "./cluster-authority.js";
import { Housekeeping } from "./garbage/index.js";
import { type Listener, type Listening, startListener } from "./listener.js";
import {
  type ConversionWebhook,
  createBootstrapObjects,
  type ObjectConverter,
  objectAt,
  Registry,
  textAt,
} from "./registry/index.js";
import { DataFolder, LmdbJournal, Store } from "./storage/index.js";
import { tokenSigner } from "./token-signer.js";
import { WorkloadSwitch } from "./workload-switch.js";
import type { LogFacts, podLog as PodLog, WorkloadOptions } from "./workloads/index.js";

/** How a cluster is started. */
export interface ClusterOptions {
  /** The time of the cluster. @default the machine's */
  readonly clock?: Clock;
  /** Where the server says what went wrong. @default nowhere */
  readonly logger?: Logger;
  /** How many changes of each resource watches can resume from. @default 10_000 */
  readonly historyLimit?: number;
  /**
   * A folder in which the objects outlive the process; made when it is not there. One process at a time can have it. Every answer then
   * waits until what it tells is on disk. @default memory only
   */
  readonly dataDir?: string;
  /**
   * How definitions with CEL rules (`x-kubernetes-validations`), which this server does not evaluate, are handled: they are rejected, or
   * accepted with a warning, and the rules have no effect. @default "reject"
   */
  readonly unevaluatedRules?: "reject" | "warn";
  /**
   * What converts objects in place of a conversion webhook, by the name of the definition (`websites.web.example.com`): this server calls no
   * webhooks. @default none: a definition that names one is rejected
   */
  readonly converters?: ReadonlyMap<string, ObjectConverter | ConversionWebhook>;
  /** Observes every stage of every request. @default no observer @experimental */
  readonly audit?: Audit;
  /**
   * Runs what makes workloads of objects: the controllers of kube-controller-manager, a scheduler, and simulated nodes on which pods become
   * ready. @default false: objects are kept, and nothing comes of them
   */
  readonly workloads?: boolean | WorkloadOptions;
  /**
   * Whether claims, volumes and their classes of attributes get the finalizers that keep them while they are in use, as on a real server. Without the controllers that take
   * them off, what is deleted stays. @default where workloads run
   */
  readonly protectVolumes?: boolean;
}

/** A running Kubernetes API server. */
export interface Cluster {
  /** Requests in process, as an administrator. */
  readonly transport: Transport;
  /** Serves HTTPS, for kubectl and others. @default a free port on 127.0.0.1 */
  listen(options?: { readonly port?: number; readonly host?: string }): Promise<Listening>;
  /**
   * No request is under way, every watcher has been handed its events and waits, nothing is left to clean up, and controllers, scheduler and
   * nodes have nothing to do until something happens or its time comes.
   */
  readonly idle: boolean;
  /** What controllers, scheduler and nodes are doing, in words; empty at rest. */
  busy(): readonly string[];
  /** The revision of the latest write. */
  readonly revision: number;
  /** Forgets history up to a revision, as etcd's compaction does: watches and pages from before it expire. */
  compact(revision: number): void;
  /** Ends every watch and every listener. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an API server in this process. It holds what a fresh cluster holds, and nothing listens until `listen` is called.
 *
 * @example
 * await using cluster = await startCluster();
 * const { body } = await cluster.transport.send({ method: "GET", path: "/api/v1/namespaces/default" });
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock, logger = silentLogger, historyLimit = 10_000, dataDir } = options;
  const { unevaluatedRules = "reject", workloads: wanted = false, protectVolumes = wanted !== false } = options;
  const { store, folder } = await openStore(historyLimit, dataDir);
  const registry = new Registry({
    store,
    clock,
    random: randomUnit,
    newUid: randomUUID,
    signer: tokenSigner(folder),
    extensions: {
      rules: unevaluatedRules,
      ...(options.converters && { converters: options.converters }),
    },
  });
  const access = new AccessControl(administratorAuthorizer, [clientCertificates]);
  registry.useAdmission(new AdmissionChain(registry, defaultPlugins({ protectsStorage: protectVolumes })));
  const handler = new Handler({ registry, access, logger, ...(options.audit && { audit: options.audit }) });
  const transport = new InProcessTransport(handler);
  const housekeeping = new Housekeeping(registry, logger);
  const listeners = new Set<Listener>();
  const authority = clusterAuthority(folder);
  if (store.isNew) createBootstrapObjects(registry);
  else await housekeeping.resume();
  const settings = options.workloads === true ? {} : options.workloads;
  const workloads = settings ? new WorkloadSwitch(startWith(settings), logger) : undefined;
  const close = async (): Promise<void> => {
    await workloads?.stop();
    await transport.close();
    await Promise.all([...listeners].map((listener) => listener.close()));
    housekeeping.close();
    await store.close();
  };
  function startWith(what: WorkloadOptions) {
    return async () => {
      // The framework is loaded by those who ask for workloads alone.
      const { podLog, startWorkloads } = await import("./workloads/index.js");
      handler.serveLogs(logsBy(store, podLog));
      const signToken = (claims: JsonObject): string => registry.signer.sign(claims);
      const serve: Handler["serve"] = (resources) => handler.serve(resources);
      return startWorkloads({ transport, clock, logger, random: randomUnit, authority, signToken, serve }, what);
    };
  }
  const { start = "at once" } = settings || {};
  if (start === "when needed") workloads?.whenNeeded(store);
  else if (start === "meanwhile") workloads?.soon();
  else {
    try {
      await workloads?.now();
    } catch (error) {
      await close();
      throw error;
    }
  }
  return {
    transport,
    async listen(where = {}) {
      const listener = await startListener({ handler, access, logger, authority: authority(), kept: folder }, where);
      listeners.add(listener);
      const withdraw = handler.announce(new URL(listener.url).host);
      return {
        ...listener,
        async close() {
          withdraw();
          listeners.delete(listener);
          await listener.close();
        },
      };
    },
    get idle() {
      for (const listener of listeners) if (listener.active > 0) return false;
      return housekeeping.idle && store.idle && (workloads?.idle ?? true);
    },
    busy: () => workloads?.busy() ?? [],
    get revision() {
      return store.revision;
    },
    compact: (revision) => store.compact(revision),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Logs of containers, as the stages of their pods declare them. */
function logsBy(store: Store, podLog: typeof PodLog): LogSource {
  const stages = "podstages.simulation.kubewright.dev";
  return {
    linesOf: (pod, run, untilMs) => {
      const facts = {
        pod,
        node: store.bucket("nodes").get(textAt(objectAt(pod, "spec"), "nodeName"))?.object,
        stages: store
          .bucket(stages)
          .list()
          .map(({ object }) => object),
      };
      // What is stored was checked by its schema, which is what the types say.
      return podLog(facts as unknown as LogFacts, run, untilMs);
    },
  };
}

/** The store in memory, or the one that a folder holds. */
async function openStore(
  historyLimit: number,
  dataDir: string | undefined,
): Promise<{ readonly store: Store; readonly folder?: DataFolder }> {
  if (dataDir === undefined) return { store: new Store({ historyLimit }) };
  const folder = new DataFolder(dataDir);
  try {
    return { store: new Store({ historyLimit, journal: await LmdbJournal.open(folder) }), folder };
  } catch (error) {
    folder.close();
    throw error;
  }
}

/** Random bytes that are drawn together: each draw by itself takes as long as all of these. */
const drawn = Buffer.alloc(4_096);
let used = drawn.length;

/** A number from 0 up to 1, for generated names: they must differ between runs, also in virtual time. */
function randomUnit(): number {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += 4;
  return drawn.readUInt32LE(used - 4) / 2 ** 32;
}
