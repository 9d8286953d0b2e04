import { randomUUID } from "node:crypto";
import { sleep, systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Transport } from "@kubewright/core/transport";
import { type AnyKind, createClient, installCRDs, type Operator } from "kubewright";
import type { ConversionWebhook } from "kubewright/crd";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { Namespace } from "kubewright/k8s/core/v1";
import { type Connection, HttpsTransport, loadConnection } from "kubewright/transport";
import { type ControlPlane, findBinary, startControlPlane } from "../control-plane/index.js";
import { seededRandom } from "../random/index.js";
import type { Backend, BackendOptions } from "./backend.js";
import { localWebhookOf } from "./conversions-of.js";
import { definedKinds } from "./defined-kinds.js";
import { createAccount } from "./operator-account.js";
import { serveRealWebhooks } from "./real-webhooks.js";
import { SkippingClock } from "./skipping-clock.js";
import { spansNamespaces } from "./spans-namespaces.js";

/** The controllers that API semantics need; those of workloads need nodes. */
const controllers = ["clusterrole-aggregation-controller", "garbage-collector-controller", "namespace-controller"];

/**
 * Creates a namespace for one test on a real API server.
 *
 * With `USE_EXISTING_CLUSTER=true` it is the cluster of the current kubeconfig. Otherwise all tests of this process share one control plane. Operators
 * run as ServiceAccounts with exactly their rules, in that namespace or, if they need others, in all: a missing permission fails the test.
 */
export async function startRealBackend(
  operators: readonly Operator[],
  { seed, webhooks, rulesOf }: Omit<BackendOptions, "workloads">,
): Promise<Backend> {
  const server = await (process.env["USE_EXISTING_CLUSTER"] === "true"
    ? existingServer(operators)
    : startedServer(operators));
  const clock = new SkippingClock();
  const transport = new HttpsTransport(server.admin, { clock });
  const client = createClient(transport);
  const namespace = `test-${randomUUID().slice(0, 8)}`;
  await client.create(Namespace, { metadata: { name: namespace } });
  const accounts = new Map<Operator, Transport>();
  const removals: (() => Promise<void>)[] = [];
  for (const operator of operators) {
    const scoped = createClient(transport, { namespace });
    const isConfined = !spansNamespaces(operator);
    const account = { namespace, rules: rulesOf(operator), isConfined, clusterName: `${namespace}-${operator.name}` };
    removals.push(await createAccount(scoped, operator, account));
    const credentials = { kind: "token", token: await requestToken(transport, namespace, operator.name) } as const;
    const { impersonate: _, ...connection } = server.admin;
    accounts.set(operator, new HttpsTransport({ ...connection, credentials }, { clock }));
  }
  const serving = await Promise.all(
    operators
      .filter((operator) => webhooks && operator.webhooks.length > 0)
      .map(async (operator) => {
        const scoped = createClient(transport, { namespace });
        return [operator, await serveRealWebhooks(operator, scoped, clock)] as const;
      }),
  );
  const served = new Map(serving);
  return {
    transport,
    operatorTransport: (operator) => accounts.get(operator) ?? transport,
    clock,
    namespace,
    isConfined: true,
    countsItself: false,
    collectsGarbage: server.collectsGarbage,
    runsPods: false,
    ...(seed !== undefined && { random: seededRandom(seed) }),
    async listen() {
      if (server.kubeconfig === undefined)
        throw notSupported("listen() with USE_EXISTING_CLUSTER: use your kubeconfig");
      return { url: server.admin.server, kubeconfig: server.kubeconfig() };
    },
    snapshot: () => Promise.reject(notSupported("snapshot() on a real cluster")),
    restore: () => Promise.reject(notSupported("restore() on a real cluster")),
    webhookHandler: (operator) => served.get(operator)?.handler,
    busy: () => [],
    close: async () => {
      for (const one of served.values()) await one[Symbol.asyncDispose]();
      for (const remove of removals) await remove();
      await client.delete(Namespace, namespace);
      for (const account of accounts.values()) await account.close();
      await transport.close();
    },
  };
}

/** A token for a ServiceAccount, valid for an hour. */
async function requestToken(transport: Transport, namespace: string, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const { status, body } = await transport.send({ method: "POST", path, body: { spec: {} } });
  const { token } = Object((Object(body) as { status?: unknown }).status) as { token?: unknown };
  if (status === 201 && typeof token === "string") return token;
  throw new OperatorError(
    "API_OTHER",
    `Cannot request a token for ServiceAccount "${namespace}/${account}": status ${status}`,
  );
}

interface Server {
  readonly collectsGarbage: boolean;
  readonly admin: Connection;
  /** Path of a kubeconfig file of the administrator. */
  kubeconfig?(): string;
}

/** The garbage collector discovers new kinds every 30 s; until then it misses that an owner of such a kind is deleted. */
const garbageCollectorMs = 35_000;

async function existingServer(operators: readonly Operator[]): Promise<Server> {
  const admin = await loadConnection();
  const transport = new HttpsTransport(admin, { clock: systemClock });
  const client = createClient(transport);
  const kinds = operators.flatMap(definedKinds);
  const existing = await Promise.all(
    kinds.map((kind) => client.find(CustomResourceDefinition, `${kind.plural}.${kind.group}`)),
  );
  // The CRDs of other projects in this cluster stay theirs.
  await install(
    kinds.filter(({ definition }, index) => existing[index] === undefined || !definition.external),
    transport,
  );
  await transport.close();
  if (existing.includes(undefined)) {
    process.stderr.write("New CRDs: waiting 35 s until the cluster's garbage collector discovers them\n");
    await sleep(systemClock, garbageCollectorMs);
  }
  return { admin, collectsGarbage: true };
}

let shared: Promise<ControlPlane> | undefined;

async function startedServer(operators: readonly Operator[]): Promise<Server> {
  const isFirst = shared === undefined;
  // As in embedded tests: OpenShift enables it.
  shared ??= startControlPlane({
    flags: { "kube-apiserver": ["--enable-admission-plugins=OwnerReferencesPermissionEnforcement"] },
  });
  const plane = await shared;
  plane.unref();
  const admin = connectionOf(plane, plane.admin);
  const transport = new HttpsTransport(admin, { clock: new SkippingClock() });
  for (const operator of operators) await install(definedKinds(operator), transport, await localWebhookOf(operator));
  await transport.close();
  const collectsGarbage = findBinary("kube-controller-manager") !== undefined;
  if (isFirst && !collectsGarbage) {
    process.stderr.write("kube-controller-manager is not installed: tests that need garbage collection are skipped\n");
  }
  if (isFirst && collectsGarbage) {
    // After the CRDs: its garbage collector discovers new kinds only every 30 s.
    await plane.startControllerManager(controllers);
    plane.unref();
  }
  return {
    admin,
    collectsGarbage,
    kubeconfig: () => plane.kubeconfigFile(plane.admin),
  };
}

function connectionOf({ url, caCertificate }: ControlPlane, { token }: { readonly token: string }): Connection {
  return { server: url, caCertificate, credentials: { kind: "token", token }, namespace: "default" };
}

function notSupported(what: string): OperatorError {
  return new OperatorError("NOT_SUPPORTED", `A test cluster does not support ${what}`);
}

async function install(
  kinds: readonly AnyKind[],
  transport: HttpsTransport,
  conversionWebhook?: ConversionWebhook,
): Promise<void> {
  await installCRDs(kinds, {
    client: createClient(transport),
    clock: new SkippingClock(),
    fieldManager: "test",
    includeExternal: true,
    ...(conversionWebhook && { conversionWebhook }),
  });
}
