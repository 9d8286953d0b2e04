import type { AnyKind, Client, ReadOf } from "kubewright";

const patienceMs = 10_000;

/**
 * Resolves with the object as soon as it is as `holds` wants it (undefined: it is gone), by watching, not by asking again and again.
 *
 * Rejects when that does not happen within ten seconds: the demo then shows what is broken instead of going on.
 */
export async function until<K extends AnyKind>(
  client: Client,
  kind: K,
  name: string,
  holds: (object: ReadOf<K> | undefined) => boolean,
): Promise<ReadOf<K> | undefined> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), patienceMs);
  try {
    const events = await client.watch(kind, { fields: { "metadata.name": name }, signal: deadline.signal });
    const now = await client.find(kind, name as never);
    if (holds(now)) return now;
    for await (const event of events) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED" && event.type !== "DELETED") continue;
      const object = event.type === "DELETED" ? undefined : event.object;
      if (holds(object)) return object;
    }
    throw new Error(`The watch on ${kind.kind} "${name}" ended`);
  } catch (error) {
    if (deadline.signal.aborted)
      throw new Error(`${kind.kind} "${name}" did not become what the demo waits for within ${patienceMs / 1_000} s`);
    throw error;
  } finally {
    clearTimeout(timer);
    deadline.abort();
  }
}
