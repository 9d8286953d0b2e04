/** A registered symbol, so that two copies of the package in one process agree. */
const loads: unique symbol = Symbol.for("kubewright.generationLoads") as never;

const state = globalThis as { [loads]?: number };

/**
 * Runs `load`, which imports modules of a user to generate files from their exports. Meanwhile {@link isLoadedForGeneration} returns true, and
 * operators do not start: a module that starts its operator at import would work on the current cluster.
 */
export async function loadForGeneration<T>(load: () => Promise<T>): Promise<T> {
  state[loads] = (state[loads] ?? 0) + 1;
  try {
    return await load();
  } finally {
    state[loads] -= 1;
  }
}

/** Whether modules are being loaded to generate files. */
export function isLoadedForGeneration(): boolean {
  return (state[loads] ?? 0) > 0;
}
