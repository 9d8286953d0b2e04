import { type Clock, sleep, type Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { type Duration, durationMs } from "@kubewright/core/meta";
import { WatchBackoff } from "../watch/index.js";
import type { Target } from "./request.js";

/** Reconciles every object periodically. */
export interface EverySource {
  readonly role: "every";
  readonly periodMs: number;
}

/** Reconciles the objects that an external system names. */
export interface EventsSource {
  readonly role: "events";
  readonly open: (signal: AbortSignal) => AsyncIterable<Target>;
}

/** A trigger of reconciles other than a change of a watched object. */
export type Source = EverySource | EventsSource;

/**
 * Reconciles each object of the controller's kind once per period: for external state that cannot be watched.
 *
 * Throws CONFIG_INVALID for a period below one second.
 *
 * @example
 * controller(Bucket, { sources: [every("1m")], reconcile });
 */
export function every(period: Duration): EverySource {
  const periodMs = durationMs("every", period);
  if (periodMs < 1_000) {
    throw new OperatorError("CONFIG_INVALID", `Cannot reconcile every "${period}": the period must be at least 1s`);
  }
  return { role: "every", periodMs };
}

/**
 * Reconciles the objects that `open` yields. It is called at the start, and again after a backoff if it throws; when it returns, the source is
 * finished. It must return when the signal aborts. A name without a namespace is in the default namespace.
 *
 * @example
 * events(async function* (signal) {
 *   for await (const message of queue.messages(signal)) yield { namespace: "shop", name: message.bucket };
 * });
 */
export function events(open: (signal: AbortSignal) => AsyncIterable<Target>): EventsSource {
  return { role: "events", open };
}

/** Runs a source until `signal` aborts or it is finished. Calls `all` for every object, `one` for one target. Never rejects. */
export async function runSource(
  source: Source,
  options: {
    readonly clock: Clock;
    readonly random: () => number;
    readonly logger: Logger;
    readonly all: () => void;
    readonly one: (target: Target) => void;
  },
  signal: AbortSignal,
): Promise<void> {
  if (source.role === "every") return repeat(source.periodMs, options, signal);
  const backoff = new WatchBackoff(options.random);
  while (!signal.aborted) {
    try {
      await drain(source.open(signal), options.one, signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      const delayMs = backoff.next(options.clock.monotonic());
      options.logger.error({ err: error, delayMs }, "Event source failed, will reopen it");
      await sleep(options.clock, delayMs, signal);
    }
  }
}

/** Calls `act` synchronously in the timer callback, so that no period has passed without its requests emitted. */
function repeat(
  periodMs: number,
  { clock, logger, all: act }: { readonly clock: Clock; readonly logger: Logger; readonly all: () => void },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    let timer: Timer;
    const arm = (): void => {
      timer = clock.startTimer(periodMs, () => {
        arm();
        try {
          act();
        } catch (err) {
          logger.error({ err }, "Periodic source failed, will try again after its period");
        }
      });
    };
    const stop = (): void => {
      timer.cancel();
      resolve();
    };
    arm();
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Reads until the end or the abort, even if the iterable ignores the signal. */
function drain(targets: AsyncIterable<Target>, one: (target: Target) => void, signal: AbortSignal): Promise<void> {
  const iterator = targets[Symbol.asyncIterator]();
  return new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      resolve();
      // Not awaited: `return()` of a generator that is stuck in an await never settles.
      void iterator.return?.().catch(() => undefined);
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    const end = (settle: () => void): void => {
      signal.removeEventListener("abort", stop);
      settle();
    };
    // Not a race with a promise of the abort: each message would leave a reaction in that promise.
    const read = (): void => {
      iterator.next().then(
        (next) => {
          if (signal.aborted) return;
          if (next.done === true) return end(resolve);
          try {
            one(next.value);
            read();
          } catch (error) {
            end(() => reject(error));
          }
        },
        (error: unknown) => end(() => reject(error)),
      );
    };
    read();
  });
}
