import type { AnyKind, Client, ReadOf } from "kubewright";

const timeoutMs = 10_000;

/**
 * Resolves with the object as soon as it satisfies `holds` (undefined: it is deleted). Watches, does not poll.
 *
 * Rejects after ten seconds, so that the demo fails instead of hanging.
 */
export async function until<K extends AnyKind>(
  client: Client,
  kind: K,
  name: string,
  holds: (object: ReadOf<K> | undefined) => boolean,
): Promise<ReadOf<K> | undefined> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const events = await client.watch(kind, { fields: { "metadata.name": name }, signal: deadline.signal });
    const now = await client.find(kind, name as never);
    if (holds(now)) return now;
    for await (const event of events) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED" && event.type !== "DELETED") continue;
      const object = event.type === "DELETED" ? undefined : event.object;
      if (holds(object)) return object;
    }
    throw new Error(`The watch of ${kind.kind} "${name}" was closed`);
  } catch (error) {
    if (deadline.signal.aborted)
      throw new Error(`${kind.kind} "${name}" did not reach the expected state within ${timeoutMs / 1_000} s`);
    throw error;
  } finally {
    clearTimeout(timer);
    deadline.abort();
  }
}
