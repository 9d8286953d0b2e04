import type { TaskContext } from "kubewright";

/** How long something may take. */
export interface TimeLimit {
  readonly clock: Pick<TaskContext["clock"], "startTimer">;
  readonly ms: number;
  /** Of the error after that time. */
  readonly message: string;
  /** Aborts too. */
  readonly signal: AbortSignal;
}

/** Runs a function with a signal that aborts after some time. Rejects then with the message, whatever the function rejects with. */
export async function withTimeLimit<Result>(
  { clock, ms, message, signal }: TimeLimit,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const timer = clock.startTimer(ms, () => limit.abort(new Error(message)));
  try {
    return await run(AbortSignal.any([signal, limit.signal]));
  } catch (error) {
    limit.signal.throwIfAborted();
    throw error;
  } finally {
    timer.cancel();
  }
}
