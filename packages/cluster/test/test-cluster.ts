import {
  type Audit,
  type Cluster,
  type ConversionWebhook,
  type ObjectConverter,
  startCluster,
  type WebhookTransport,
} from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { TransportRequest } from "@kubewright/core/transport";

/** A JSON body, loosely typed for assertions. */
// biome-ignore lint/suspicious/noExplicitAny: tests access fields of many kinds of responses
export type Loose = any;

/** A response of the cluster under test. */
export interface TestResponse {
  readonly status: number;
  readonly body: Loose;
  readonly headers: Readonly<Record<string, string>>;
}

/** A cluster under test: short request functions, and a fake clock. */
export interface TestCluster {
  readonly cluster: Cluster;
  readonly clock: FakeClock;
  get(path: string, query?: Record<string, string>, headers?: Record<string, string>): Promise<TestResponse>;
  post(path: string, body: unknown, query?: Record<string, string>): Promise<TestResponse>;
  put(path: string, body: unknown, query?: Record<string, string>): Promise<TestResponse>;
  merge(path: string, body: unknown, query?: Record<string, string>): Promise<TestResponse>;
  patch(type: string, path: string, body: unknown, query?: Record<string, string>): Promise<TestResponse>;
  apply(path: string, body: unknown, manager: string, query?: Record<string, string>): Promise<TestResponse>;
  remove(path: string, body?: unknown): Promise<TestResponse>;
  /** Starts a watch. `next` returns the next event, or undefined at the end. */
  watch(path: string, query?: Record<string, string>): Promise<{ next(): Promise<Loose>; close(): Promise<void> }>;
}

/** Starts a cluster whose fake clock is at 2030-01-01T00:00:00Z. */
export async function startTestCluster(
  options: {
    historyLimit?: number;
    webhookTransport?: WebhookTransport;
    audit?: Audit;
    converters?: ReadonlyMap<string, ObjectConverter | ConversionWebhook>;
  } = {},
): Promise<TestCluster> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock, ...options });
  const send = async (request: TransportRequest): Promise<TestResponse> =>
    (await cluster.transport.send({
      ...request,
      headers: { "user-agent": "tester/1", ...request.headers },
    })) as TestResponse;
  const patch: TestCluster["patch"] = (type, path, body, query = {}) =>
    send({ method: "PATCH", path, body, query, headers: { "content-type": type } });
  return {
    cluster,
    clock,
    patch,
    get: (path, query = {}, headers = {}) => send({ method: "GET", path, query, headers }),
    post: (path, body, query = {}) => send({ method: "POST", path, body, query }),
    put: (path, body, query = {}) => send({ method: "PUT", path, body, query }),
    merge: (path, body, query) => patch("application/merge-patch+json", path, body, query),
    apply: (path, body, manager, query = {}) =>
      patch("application/apply-patch+yaml", path, body, { fieldManager: manager, ...query }),
    remove: (path, body) => send({ method: "DELETE", path, ...(body === undefined ? {} : { body }) }),
    async watch(path, query = {}) {
      const response = await cluster.transport.stream({ method: "GET", path, query: { watch: "true", ...query } });
      if (response.kind !== "stream")
        throw new Error(`Cannot watch "${path}": ${JSON.stringify(response.response.body)}`);
      const events = response.items[Symbol.asyncIterator]();
      return {
        async next() {
          const { done, value } = await events.next();
          return done === true ? undefined : value;
        },
        async close() {
          await events.return?.();
        },
      };
    },
  };
}

/** The path of ConfigMaps in the default namespace. */
export const configMaps = "/api/v1/namespaces/default/configmaps";
/** The path of CRDs. */
export const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** The path of Samples in the default namespace. */
export const samples = "/apis/example.com/v1alpha1/namespaces/default/samples";

/** The CRD of `Sample`, with additional fields of its version and spec. */
export function sampleDefinition(version: Record<string, unknown> = {}, spec: Record<string, unknown> = {}): Loose {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "samples.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Sample", plural: "samples" },
      scope: "Namespaced",
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { testString: { type: "string" } } } },
          ...version,
        },
      ],
      ...spec,
    },
  };
}

/** A `Sample`. */
export function sample(
  name: string,
  fields: Record<string, unknown> = {},
  metadata: Record<string, unknown> = {},
): Loose {
  return { apiVersion: "example.com/v1alpha1", kind: "Sample", metadata: { name, ...metadata }, ...fields };
}
