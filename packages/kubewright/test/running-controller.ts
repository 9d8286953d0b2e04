import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Transport, TransportRequest } from "@kubewright/core/transport";
import { InformerSet } from "../src/cache/index.js";
import { type Client, createClient, type StageListener } from "../src/client/index.js";
import { crdOf, type ResourceDefinition } from "../src/definition/index.js";
import { type AnyController, ControllerLoop, type ControllerLoopOptions } from "../src/reconcile/index.js";
import { CustomResourceDefinition } from "./kinds.js";

/** A controller that runs against an embedded cluster, in virtual time. */
export interface RunningController extends AsyncDisposable {
  readonly client: Client;
  readonly clock: FakeClock;
  readonly loop: ControllerLoop;
  /** The requests of the controller under test, as `METHOD path`, without those of the test itself. */
  readonly sent: string[];
  /** Runs all work that does not wait for a timer. */
  settle(): Promise<void>;
  /** Advances the clock, then settles. */
  advance(ms: number): Promise<void>;
  /** Stops this controller, and starts another against the same cluster, as a new version of the operator would. */
  restart(controller: AnyController): Promise<RunningController>;
}

export interface RunOptions {
  readonly install?: readonly { readonly definition: ResourceDefinition }[];
  readonly onStage?: StageListener;
  readonly logger?: Logger;
  /** Observers of the loop. */
  readonly observe?: Pick<
    ControllerLoopOptions,
    "around" | "failureEvents" | "history" | "reconcileObserver" | "ownership"
  >;
  /** Called before each request of the controller under test; may throw to fail it, or return a promise to delay it. */
  readonly intercept?: (request: TransportRequest) => void | Promise<void>;
  /** Called for each watch event of the controller under test; the event is lost while it returns true. */
  readonly isSilent?: (request: TransportRequest) => boolean;
}

/** Starts a cluster, installs the CRDs, and runs the controller. */
export async function runController(controller: AnyController, options: RunOptions = {}): Promise<RunningController> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  for (const resource of options.install ?? []) await client.create(CustomResourceDefinition, crdOf(resource));

  const start = async (description: AnyController): Promise<RunningController> => {
    const sent: string[] = [];
    const transport = recording(cluster.transport, sent, options);
    const observed = createClient(transport);
    const common = {
      client: observed,
      clock,
      random: () => 0.5,
      ...(options.onStage && { onStage: options.onStage }),
      ...(options.logger && { logger: options.logger }),
    };
    const informers = new InformerSet({ ...common, managed: description.children.map(({ kind }) => kind) });
    const loop = new ControllerLoop({ ...common, ...options.observe, controller: description, informers });
    const abort = new AbortController();
    const watching = informers.run(abort.signal);
    await loop.start(abort.signal);

    const settle = async (): Promise<void> => {
      for (let quiet = 0, turns = 0; quiet < 3; turns++) {
        if (turns > 5_000)
          throw new Error(
            `Not settled: ${JSON.stringify({ cluster: cluster.idle, loop: loop.idle, sent: sent.slice(-10) })}`,
          );
        await new Promise((resolve) => setImmediate(resolve));
        quiet = cluster.idle && loop.idle ? quiet + 1 : 0;
      }
    };
    const stop = async (): Promise<void> => {
      await loop.stop();
      abort.abort();
      await watching;
    };
    await settle();
    return {
      client,
      clock,
      loop,
      sent,
      settle,
      advance: async (ms) => {
        clock.advance(ms);
        await settle();
      },
      restart: async (next) => {
        await stop();
        return start(next);
      },
      [Symbol.asyncDispose]: async () => {
        await stop();
        await cluster.close();
      },
    };
  };
  return start(controller);
}

function recording(inner: Transport, sent: string[], { intercept, isSilent }: RunOptions): Transport {
  return {
    send: async (request) => {
      const delay = intercept?.(request);
      if (delay !== undefined) await delay;
      sent.push(`${request.method} ${request.path}`);
      return inner.send(request);
    },
    stream: async (request) => {
      const stream = await inner.stream(request);
      if (stream.kind !== "stream" || isSilent === undefined) return stream;
      return { ...stream, items: heard(stream.items, () => !isSilent(request)) };
    },
    close: async () => {},
  };
}

async function* heard(items: AsyncIterable<unknown>, passes: () => boolean): AsyncIterable<unknown> {
  for await (const item of items) if (passes()) yield item;
}
