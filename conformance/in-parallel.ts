/** Processes items with this concurrency, and resolves when all are done. */
export async function inParallel<T>(
  concurrency: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
