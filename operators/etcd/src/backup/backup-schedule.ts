/** The parts of an EtcdBackup that decide. */
interface BackupState {
  readonly spec: { readonly backupPolicy?: { readonly backupIntervalInSecond?: number } | undefined };
  readonly status?: {
    readonly lastExecutionDate?: string | undefined;
    readonly lastSuccessDate?: string | undefined;
    readonly failedAttempts?: number | undefined;
    readonly lastFailureDate?: string | undefined;
  };
}

/** Attempts of one backup that are repeated; afterwards it is given up. */
export const maxRetries = 15;

const shortestDelaySeconds = 1;
const longestDelaySeconds = 300;

/** What is to be done for an EtcdBackup. A backup has one date, however many attempts it takes. */
export type DueBackup =
  | { readonly kind: "never" }
  | { readonly kind: "later"; readonly atMs: number }
  | { readonly kind: "now"; readonly date: Date; readonly failedAttempts: number };

export function dueBackup({ spec, status }: BackupState, nowMs: number): DueBackup {
  const { backupIntervalInSecond: interval = 0 } = spec.backupPolicy ?? {};
  const { lastExecutionDate, lastSuccessDate, failedAttempts = 0, lastFailureDate } = status ?? {};
  if (lastExecutionDate === undefined) return { kind: "now", date: new Date(nowMs), failedAttempts: 0 };
  const lastMs = Date.parse(lastExecutionDate);
  const hasSucceeded = lastSuccessDate !== undefined && Date.parse(lastSuccessDate) >= lastMs;
  const hasEnded = hasSucceeded || failedAttempts > maxRetries;
  if (!hasEnded) {
    const failedMs = failedAttempts === 0 || lastFailureDate === undefined ? undefined : Date.parse(lastFailureDate);
    const retryMs = failedMs === undefined ? nowMs : failedMs + retrySeconds(failedAttempts) * 1_000;
    return retryMs <= nowMs
      ? { kind: "now", date: new Date(lastMs), failedAttempts }
      : { kind: "later", atMs: retryMs };
  }
  if (interval === 0) return { kind: "never" };
  const nextMs = lastMs + interval * 1_000;
  return nextMs <= nowMs ? { kind: "now", date: new Date(nowMs), failedAttempts: 0 } : { kind: "later", atMs: nextMs };
}

/** How long to wait before a backup is tried again. */
function retrySeconds(failedAttempts: number): number {
  return Math.min(shortestDelaySeconds * 2 ** (failedAttempts - 1), longestDelaySeconds);
}
