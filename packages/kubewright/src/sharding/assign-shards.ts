/** Returns the shard of a key, from 0 to `count` - 1. The function must never change: all replicas of all versions must agree on it. */
export function shardOf(key: string, count: number): number {
  return hash(key) % count;
}

/**
 * Returns the desired owner of each shard, by index. The assignment is even (at most one shard above the average), deterministic for the same
 * members, and changes little when a member joins or leaves.
 *
 * Rendezvous hashing with a capacity: each shard goes to the member that ranks highest for it and is not full.
 */
export function assignShards(count: number, members: readonly string[]): string[] {
  const room = new Map([...members].sort().map((member) => [member, Math.ceil(count / members.length)]));
  return Array.from({ length: count }, (_, shard) => {
    const ranked = [...room.keys()].sort((a, b) => hash(`${b} ${shard}`) - hash(`${a} ${shard}`) || (a < b ? -1 : 1));
    const owner = ranked.find((member) => (room.get(member) ?? 0) > 0) ?? "";
    room.set(owner, (room.get(owner) ?? 0) - 1);
    return owner;
  });
}

/** FNV-1a over UTF-16 code units, with a finalizer that spreads similar inputs. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
