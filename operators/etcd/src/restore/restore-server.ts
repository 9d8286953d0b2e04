import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Client, isApiError, isNotFound, type Task } from "kubewright";
import { Pod, Secret, Service } from "kubewright/k8s/core/v1";
import { backupTarget } from "../backup/backup-target.js";
import { EtcdRestore } from "../resources/etcd-restore.js";
import { isAuthorized, restoreToken } from "./restore-token.js";

/** The Service of the restore server, and its port: those of the former restore operator. */
const serviceName = "etcd-restore-operator";
export const restorePort = 19_999;
const maxDownloads = 16;

/** Where the first member of a restored cluster fetches its snapshot. */
export function restoreUrl(
  server: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  return `${server}/v1/backup/${namespace}/${name}`;
}

/** The URL of the restore server of an operator that runs in a namespace. */
export function restoreServerOf(namespace: string): string {
  return `http://${serviceName}.${namespace}.svc:${restorePort}`;
}

/** The restore server of an operator. */
export interface RestoreServerOptions {
  /** The Pod of this process, behind the Service; left out where the process is not in a Pod: then there is no Service. */
  readonly pod?: { readonly namespace: string; readonly name: string };
  readonly port: number;
  /** Called when the server listens. */
  readonly onListening?: (port: number) => void;
}

/** Serves the snapshots of EtcdRestores that are in progress, from storages that the operator reaches. */
export function restoreServer({ pod, port, onListening }: RestoreServerOptions): Task {
  return {
    name: "restore-server",
    onEveryReplica: true,
    rules: [
      { apiGroups: ["etcd.database.coreos.com"], resources: ["etcdrestores"], verbs: ["get"] },
      { apiGroups: [""], resources: ["secrets", "pods"], verbs: ["get"] },
      { apiGroups: [""], resources: ["services"], verbs: ["create", "patch"] },
    ],
    run: async ({ client, signal, log }) => {
      if (pod !== undefined) await applyService(client, pod);
      const server = createServer((request, response) => {
        serve({ request, response, client, signal }).catch((error: unknown) => {
          log.warn({ err: error, path: request.url }, "A snapshot was not served");
          if (response.headersSent) response.destroy();
          else response.writeHead(statusOf(error)).end(error instanceof Error ? error.message : String(error));
        });
      });
      server.maxConnections = maxDownloads;
      server.listen(port);
      await once(server, "listening", { signal });
      onListening?.((server.address() as AddressInfo).port);
      await ended(server, signal);
    },
  };
}

/** Routes to the Pods of the operator's Deployment, whatever labels its manifest gives them. */
async function applyService(client: Client, pod: { readonly namespace: string; readonly name: string }): Promise<void> {
  const { metadata } = await client.get(Pod, pod);
  const selector = { ...metadata.labels };
  delete selector["pod-template-hash"];
  await client.apply(
    Service,
    {
      metadata: { name: serviceName, namespace: pod.namespace },
      spec: { selector, ports: [{ name: "restore", port: restorePort }] },
    },
    { fieldManager: "etcd-operator" },
  );
}

async function ended(server: Server, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
  server.close();
  server.closeAllConnections();
}

class Rejection extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function statusOf(error: unknown): number {
  if (error instanceof Rejection) return error.status;
  return isApiError(error) && isNotFound(error) ? 404 : 503;
}

interface Download {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: Client;
  readonly signal: AbortSignal;
}

async function serve({ request, response, client, signal }: Download): Promise<void> {
  const [, namespace, name] = /^\/v1\/backup\/([a-z0-9.-]{1,253})\/([a-z0-9.-]{1,253})$/.exec(request.url ?? "") ?? [];
  if (request.method !== "GET" || namespace === undefined || name === undefined) throw new Rejection(404, "Not found");
  const { metadata, spec, status } = await client.get(EtcdRestore, { namespace, name }, { signal });
  const target = await backupTarget(spec.backupStorageType, spec, (secret) =>
    client.find(Secret, { namespace, name: secret }, { signal }),
  );
  if (target.kind !== "storage" || status?.snapshot === undefined)
    throw new Rejection(404, "There is no snapshot to fetch");
  if (!isAuthorized(request.headers.authorization, restoreToken(target.secret, metadata.uid)))
    throw new Rejection(401, "The token is not valid");
  if (status.succeeded) throw new Rejection(410, "The restore has ended");
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  const content = target.storage
    .read(status.snapshot, AbortSignal.any([signal, closed.signal]))
    [Symbol.asyncIterator]();
  const first = await content.next(); // a storage that fails at once gives an error response, not a broken connection
  await pipeline(Readable.from(resumed(first, content), { objectMode: false }), response, { signal });
}

async function* resumed(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
