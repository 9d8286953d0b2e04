/**
 * Calls user code that must not stop ours, without waiting for its result. `failed` gets what it throws, and what it rejects with where it is `async`: an
 * unhandled rejection would end the process. `failed` must not throw.
 */
export function callSafely(call: () => unknown, failed: (error: unknown) => void = () => {}): void {
  try {
    const result = call();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
