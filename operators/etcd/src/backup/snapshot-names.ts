/** `<path>_v<revision>_<date-time>`, with the time in UTC as `2026-11-19-22:41:07`. */
export function snapshotName(path: string, revision: bigint, date: Date): string {
  const time = date.toISOString().slice(0, 19).replace("T", "-");
  return `${path}_v${revision}_${time}`;
}

const suffix = /^_v(\d{1,19})_(\d{4}-\d{2}-\d{2}-\d{2}:\d{2}:\d{2})$/;

/** The snapshots of a path among names, the oldest first; all other names are left out. */
export function snapshotsOf(path: string, names: readonly string[]): readonly string[] {
  return names
    .flatMap((name) => {
      const [, revision, time] = (name.startsWith(path) && suffix.exec(name.slice(path.length))) || [];
      return revision === undefined || time === undefined ? [] : [{ name, time, revision: BigInt(revision) }];
    })
    .sort((one, other) => compare(one.time, other.time) || compare(one.revision, other.revision))
    .map(({ name }) => name);
}

function compare<Value extends string | bigint>(one: Value, other: Value): number {
  return one < other ? -1 : Number(one > other);
}

/** The snapshot that a path names: the one of that name, or the newest one of a periodic backup with that path. */
export function findSnapshot(path: string, names: readonly string[]): string | undefined {
  return names.includes(path) ? path : snapshotsOf(path, names).at(-1);
}

/** The revision in the name of a snapshot. */
export function revisionIn(name: string): bigint | undefined {
  const [, revision] = /_v(\d{1,19})_[^_/]*$/.exec(name) ?? [];
  return revision === undefined ? undefined : BigInt(revision);
}
