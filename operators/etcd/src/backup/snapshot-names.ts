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
