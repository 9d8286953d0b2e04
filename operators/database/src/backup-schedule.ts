/** What the backup schedule says now. */
interface Backup {
  readonly isDue: boolean;
  /** Until the backup after this one. */
  readonly nextInSeconds: number;
  /** Now, for the status. */
  readonly time: string;
  /** Of the Job's name; sorts by time. The same for a repeated run, so that it does not start a second Job. */
  readonly suffix: string;
}

/** Whether a backup is due `everyHours` after the last one, and when to look again. */
export function dueBackup(everyHours: number, lastBackupTime: string | undefined, nowMs: number): Backup {
  const periodMs = everyHours * 3_600_000;
  const lastMs = lastBackupTime === undefined ? Number.NEGATIVE_INFINITY : Date.parse(lastBackupTime);
  const isDue = lastMs + periodMs <= nowMs;
  const nextMs = (isDue ? nowMs : lastMs) + periodMs;
  const time = `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
  const suffix = time.slice(0, 16).replaceAll(/\D/g, "");
  return { isDue, nextInSeconds: Math.max(1, Math.ceil((nextMs - nowMs) / 1_000)), time, suffix };
}
