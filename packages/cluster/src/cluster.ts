import { randomFillSync, randomUUID } from "node:crypto";
import { type Clock, systemClock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import { type Logger, silentLogger } from "@kubewright/core/log";
import type { Transport } from "@kubewright/core/transport";
import {
  AccessControl,
  bootstrapTokens,
  ClusterAuthorizer,
  clientCertificates,
  serviceAccountTokens,
  staticTokens,
  type TokenUser,
  tokenUsers,
} from "./access/index.js";
import {
  AdmissionChain,
  type AdmissionPluginName,
  admissionPlugins,
  DefaultAccountWait,
  type ExpressionWarning,
  expressionWarnings,
} from "./admission/index.js";
import { ApiControllers } from "./api-controllers/index.js";
import { Forwarder, Handler, type LogSource } from "./apiserver/index.js";
import {
  type Audit,
  type AuditListener,
  AuditLog,
  Auditor,
  type AuditPolicy,
  checkAuditPolicy,
} from "./audit/index.js";
import { clusterAuthority } from "./cluster-authority.js";
import { type ActingUser, ClusterTransports } from "./cluster-transports.js";
import { type Listener, type Listening, type ListenOptions, startListener } from "./listener.js";
import {
  bootstrapRules,
  type ConversionWebhook,
  createBootstrapObjects,
  definitionsBucket,
  type ObjectConverter,
  objectAt,
  Registry,
  reconcileBootstrapPolicy,
  textAt,
} from "./registry/index.js";
import { SimulationTransport } from "./simulation-transport.js";
import { DataFolder, LmdbJournal, type Snapshot, Store, StoreSnapshot } from "./storage/index.js";
import { tokenSigner } from "./token-signer.js";
import { serviceResolver, WebhookCaller, type WebhookTransport } from "./webhook-client/index.js";
import { WorkloadSwitch } from "./workload-switch.js";
import type { podLog as PodLog, PodLogInput, WorkloadOptions } from "./workloads/index.js";

/** Options of {@link startCluster}. */
export interface ClusterOptions {
  /** The clock of the cluster. @default the system clock */
  readonly clock?: Clock;
  /** Receives the server's log. @default no log */
  readonly logger?: Logger;
  /** Number of changes per resource that a watch can resume from. @default 10_000 */
  readonly historyLimit?: number;
  /**
   * Folder that persists the objects; created if missing. Only one process can use it at a time. Every response then waits until the state
   * it shows is on disk. @default memory only
   */
  readonly dataDir?: string;
  /**
   * Converters that replace conversion webhooks, by CustomResourceDefinition name (`websites.web.example.com`). @default none: conversion
   * webhooks are called
   */
  readonly converters?: ReadonlyMap<string, ObjectConverter | ConversionWebhook>;
  /** Calls admission and conversion webhooks in process, without sockets and certificates. @default webhooks are called over HTTPS */
  readonly webhookTransport?: WebhookTransport;
  /** Random numbers in [0, 1) for generated names and uids, and for jitter. Not for secrets. @default unpredictable numbers */
  readonly random?: () => number;
  /** Observes every stage of every request. @default no audit @experimental */
  readonly audit?: Audit;
  /**
   * What {@link Cluster.onAuditEvent} and `auditLogPath` record: the content of a file for `--audit-policy-file`.
   * @default every request with its bodies, without the stage RequestReceived
   */
  readonly auditPolicy?: AuditPolicy;
  /** File to which audit events are appended as lines of JSON, as `--audit-log-path`; `-` is the standard output. @default none */
  readonly auditLogPath?: string;
  /**
   * Runs the controllers of kube-controller-manager, a scheduler, and simulated nodes on which Pods become ready. @default false: objects are
   * stored, but no controller acts on them
   */
  readonly workloads?: boolean | WorkloadOptions;
  /** Bearer tokens of users, as `--token-auth-file`; RBAC decides what they may do. @default none */
  readonly tokens?: readonly TokenUser[];
  /** Admission plugins to enable besides those that kube-apiserver enables by default, as `--enable-admission-plugins`. @default none */
  readonly enableAdmissionPlugins?: readonly AdmissionPluginName[];
  /**
   * Admission plugins to disable, as `--disable-admission-plugins`.
   * @default none; without workloads ServiceAccount and StorageObjectInUseProtection, which need their controllers
   */
  readonly disableAdmissionPlugins?: readonly AdmissionPluginName[];
}

/** A snapshot that was stored as text: `String(cluster.snapshot())`. Throws CONFIG_INVALID for anything else. */
export function parseSnapshot(text: string): Snapshot {
  return StoreSnapshot.parse(text);
}

/** A running Kubernetes API server. */
export interface Cluster {
  /** In-process requests as the administrator. */
  readonly transport: Transport;
  /** In-process requests as a user, with the permissions that RBAC grants to the user and its groups. */
  as(user: ActingUser): Transport;
  /**
   * In-process requests as a ServiceAccount, `"<namespace>/<name>"`, with its groups. Throws API_NOT_FOUND if it does not exist.
   */
  asServiceAccount(account: string): Transport;
  /** Serves HTTPS for kubectl and other clients. @default a free port on 127.0.0.1 */
  listen(options?: ListenOptions): Promise<Listening>;
  /**
   * True if no request is in flight, every watcher has received its events, garbage collection is done, and controllers, scheduler and nodes
   * wait for a change or a timer.
   */
  readonly idle: boolean;
  /**
   * Calls a function with each audit event (user, verb, object, response, annotations) until the returned function is called.
   * It is called synchronously, and must be quick.
   */
  onAuditEvent(listener: AuditListener): () => void;
  /** Describes what controllers, scheduler and nodes are doing; empty if they are idle. */
  busy(): readonly string[];
  /** The revision of the latest write. */
  readonly revision: number;
  /** Compacts history up to a revision, as etcd does: older watches and continue tokens expire. */
  compact(revision: number): void;
  /** All objects, which {@link restore} brings back. Take it when the cluster is idle. As a string it can be stored. */
  snapshot(): Snapshot;
  /**
   * Brings the objects of a snapshot back, of this cluster or of another one, with their uids and times and new resourceVersions, and deletes all others, whatever their
   * finalizers. Watches see these changes. The clock is not set back.
   */
  restore(snapshot: Snapshot): Promise<void>;
  /** Closes every watch and every listener. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an API server in this process, with the objects of a new cluster. It does not listen until `listen` is called.
 *
 * @example
 * await using cluster = await startCluster();
 * const { body } = await cluster.transport.send({ method: "GET", path: "/api/v1/namespaces/default" });
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock, logger = silentLogger, historyLimit = 10_000, dataDir } = options;
  const { random = randomUnit, enableAdmissionPlugins: enable = [] } = options;
  const { store, folder } = await openStore(historyLimit, dataDir);
  const caller = new WebhookCaller({
    clock,
    resolve: serviceResolver(store),
    ...(options.webhookTransport && { transport: options.webhookTransport }),
  });
  const signer = tokenSigner(folder);
  const authorizer = new ClusterAuthorizer(store, () => bootstrapRules("system:node"));
  const registry = new Registry({
    store,
    clock,
    random,
    newUid: options.random === undefined ? randomUUID : () => uuidOf(random),
    signer,
    authorizer,
    extensions: {
      webhooks: caller,
      ...(options.converters && { converters: options.converters }),
    },
  });
  const access = new AccessControl({
    authorizer,
    authenticators: [
      clientCertificates,
      serviceAccountTokens({ verifier: signer, store, clock }),
      bootstrapTokens({ store, clock }),
      staticTokens(tokenUsers(options.tokens ?? [])),
    ],
    audience: signer.issuer,
  });
  const settings = options.workloads === true ? {} : options.workloads;
  const defaultAccounts = settings && new DefaultAccountWait(store, clock, async () => workloads?.ensureStarted());
  const plugins = admissionPlugins(
    { registry, authorizer, caller, ...(defaultAccounts && { defaultAccounts }) },
    {
      enable,
      disable: options.disableAdmissionPlugins ?? withoutController(settings).filter((one) => !enable.includes(one)),
    },
  );
  registry.useAdmission(new AdmissionChain(registry, plugins));
  const auditor = new Auditor({
    newId: registry.newUid,
    now: () => clock.now(),
    ...(options.auditPolicy && { policy: checkAuditPolicy(options.auditPolicy as unknown as JsonObject) }),
  });
  const auditLog = options.auditLogPath === undefined ? undefined : await AuditLog.open(options.auditLogPath, logger);
  if (auditLog) auditor.listen((event) => auditLog.write(event));
  const authority = clusterAuthority(folder);
  const forwarder = new Forwarder(authority);
  const audit = options.audit && { audit: options.audit };
  const handler = new Handler({ registry, access, logger, forwarder, auditor, ...audit });
  const transports = new ClusterTransports(handler, store);
  const { transport } = transports;
  const apiControllers = new ApiControllers(registry, logger);
  const listeners = new Set<Listener>();
  if (store.isNew) createBootstrapObjects(registry);
  else {
    reconcileBootstrapPolicy(registry);
    await apiControllers.resume();
  }
  const workloads = settings ? new WorkloadSwitch(startWith(settings), logger) : undefined;
  const close = async (): Promise<void> => {
    await workloads?.stop();
    await transports.close();
    await Promise.all([...listeners].map((listener) => listener.close()));
    apiControllers.close();
    caller.close();
    forwarder.close();
    await store.close();
    await auditLog?.close();
  };
  function startWith(what: WorkloadOptions) {
    return async () => {
      // Load the framework only if workloads are enabled.
      const { podLog, startWorkloads } = await import("./workloads/index.js");
      handler.serveLogs(logsBy(store, podLog));
      const signToken = (claims: JsonObject): string => registry.signer.sign(claims);
      const serve: Handler["serve"] = (resources) => handler.serve(resources);
      const services = {
        transport,
        transportFor: transports.ofController,
        clock,
        logger,
        random,
        authority,
        signToken,
        serve,
      };
      const warnings = (policy: JsonObject): readonly ExpressionWarning[] => expressionWarnings(policy, registry);
      return startWorkloads({ ...services, expressionWarnings: warnings }, what);
    };
  }
  const { start = "at once" } = settings || {};
  if (start === "when needed") workloads?.startOnDemand(store);
  else if (start === "meanwhile") workloads?.startInBackground();
  else {
    try {
      await workloads?.start();
    } catch (error) {
      await close();
      throw error;
    }
  }
  const isOnDemand = start === "when needed" && workloads !== undefined;
  const onDemand = (inner: Transport): Transport => (isOnDemand ? new SimulationTransport(inner, workloads) : inner);
  return {
    transport: onDemand(transport),
    as: (user) => onDemand(transports.as(user)),
    asServiceAccount: (account) => onDemand(transports.asServiceAccount(account)),
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
      return apiControllers.idle && store.idle && (workloads?.idle ?? true);
    },
    busy: () => workloads?.busy() ?? [],
    onAuditEvent: (listener) => auditor.listen(listener),
    get revision() {
      return store.revision;
    },
    compact: (revision) => store.compact(revision),
    snapshot: () => StoreSnapshot.of(store),
    async restore(snapshot) {
      if (!(snapshot instanceof StoreSnapshot)) throw new TypeError("Cannot restore: it is no snapshot of a cluster");
      const isDefinition = (bucket: string): boolean => bucket === definitionsBucket;
      // CRDs first, and their controller works in microtasks: the garbage collector must know the kinds of all owners.
      snapshot.restore(store, isDefinition);
      await new Promise((resolve) => setImmediate(resolve));
      snapshot.restore(store, (bucket) => !isDefinition(bucket));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The plugins whose controllers do not run. */
function withoutController(workloads: false | WorkloadOptions | undefined): readonly AdmissionPluginName[] {
  if (!workloads) return ["ServiceAccount", "StorageObjectInUseProtection"];
  return workloads.without?.includes("serviceaccount-controller") ? ["ServiceAccount"] : [];
}

/** Container logs, as PodStages declare them. */
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
      // Stored objects passed schema validation, so they have these types.
      return podLog(facts as unknown as PodLogInput, run, untilMs);
    },
  };
}

/** Opens the store of a data folder, or one in memory. */
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

/** A version 4 UUID. */
function uuidOf(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  digits[12] = "4";
  digits[16] = "8";
  return digits.join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Pool of random bytes: filling it costs as much as a single draw. */
const drawn = Buffer.alloc(4_096);
let used = drawn.length;

/** A random number in [0, 1) for generated names, which must differ between runs even in virtual time. */
function randomUnit(): number {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += 4;
  return drawn.readUInt32LE(used - 4) / 2 ** 32;
}
