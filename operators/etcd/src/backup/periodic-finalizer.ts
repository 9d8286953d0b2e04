/** Keeps a periodic EtcdBackup until a running backup has ended. A name without a domain, as the former operator wrote it. */
const periodicFinalizer = "backup-operator-periodic";

/** The finalizers that an EtcdBackup should have; undefined if it has them. */
export function finalizersOf(
  {
    deletionTimestamp,
    finalizers = [],
  }: { readonly deletionTimestamp?: string; readonly finalizers?: readonly string[] },
  isPeriodic: boolean,
): string[] | undefined {
  const isWanted = isPeriodic && deletionTimestamp === undefined;
  if (finalizers.includes(periodicFinalizer) === isWanted) return undefined;
  const others = finalizers.filter((name) => name !== periodicFinalizer);
  return isWanted ? [...others, periodicFinalizer] : others;
}
