import { type Cluster, type ConversionWebhook, type ObjectConverter, startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { TransportRequest } from "@kubewright/core/transport";

/** A JSON answer, loosely typed: tests look into it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reaches into answers of many kinds
export type Loose = any;

/** An answer of a cluster under test. */
export interface Answer {
  readonly status: number;
  readonly body: Loose;
  readonly headers: Readonly<Record<string, string>>;
}

/** A cluster under test: requests in few words, and time that stands still. */
export interface TestCluster {
  readonly cluster: Cluster;
  readonly clock: FakeClock;
  get(path: string, query?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, query?: Record<string, string>): Promise<Answer>;
  put(path: string, body: unknown, query?: Record<string, string>): Promise<Answer>;
  merge(path: string, body: unknown, query?: Record<string, string>): Promise<Answer>;
  patch(type: string, path: string, body: unknown, query?: Record<string, string>): Promise<Answer>;
  apply(path: string, body: unknown, manager: string, query?: Record<string, string>): Promise<Answer>;
  remove(path: string, body?: unknown): Promise<Answer>;
  /** Begins a watch; `next` gives one event after the other, undefined at the end. */
  watch(path: string, query?: Record<string, string>): Promise<{ next(): Promise<Loose>; close(): Promise<void> }>;
}

/** Starts a cluster whose clock stands at 2030-01-01T00:00:00Z. */
export async function startTestCluster(
  options: {
    historyLimit?: number;
    unevaluatedRules?: "reject" | "warn";
    converters?: ReadonlyMap<string, ObjectConverter | ConversionWebhook>;
  } = {},
): Promise<TestCluster> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock, ...options });
  const send = async (request: TransportRequest): Promise<Answer> =>
    (await cluster.transport.send({ ...request, headers: { "user-agent": "tester/1", ...request.headers } })) as Answer;
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
      const answer = await cluster.transport.stream({ method: "GET", path, query: { watch: "true", ...query } });
      if (answer.kind !== "stream") throw new Error(`Cannot watch "${path}": ${JSON.stringify(answer.response.body)}`);
      const events = answer.items[Symbol.asyncIterator]();
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

/** Where config maps of the default namespace lie. */
export const configMaps = "/api/v1/namespaces/default/configmaps";
/** Where definitions lie. */
export const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** Where samples of the default namespace lie. */
export const samples = "/apis/example.com/v1alpha1/namespaces/default/samples";

/** The definition of `Sample`, with more in its version where a test wants it. */
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
