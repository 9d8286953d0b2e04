/** The shard of a key, from 0 to `count` - 1. Every program that shares the work must find the same one: this never changes. */
export function shardOf(key: string, count: number): number {
  return hash(key) % count;
}

/**
 * Who is to own each shard, by its number: shared evenly (nobody has more than one above the average), the same for everybody who knows the same
 * members, and with few changes when one comes or goes.
 *
 * Each shard goes to the member that ranks highest for it and is not full.
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

/** FNV-1a over UTF-16 units, mixed at the end: neighbours get numbers far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
