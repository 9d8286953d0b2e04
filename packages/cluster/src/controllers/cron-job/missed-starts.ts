import type { CronSchedule } from "../../cron/index.js";

/** The window in which the controller looks for missed starts. */
export interface StartWindow {
  readonly createdMs: number;
  readonly lastMs: number | undefined;
  readonly deadlineSeconds: number | undefined;
}

/** The last start that was due. */
export interface DueStart {
  readonly earliestMs: number;
  /** Undefined if none is due. */
  readonly dueMs: number | undefined;
  readonly missed: "none" | "few" | "many";
}

/** Delay after a start, to allow for clock skew. */
const paddingMs = 100;

/** The last start that was due by now. Throws if the schedule never fires. */
export function dueStart(window: StartWindow, schedule: CronSchedule, nowMs: number): DueStart {
  const { createdMs, lastMs, deadlineSeconds } = window;
  const deadlineMs = deadlineSeconds === undefined ? Number.NEGATIVE_INFINITY : nowMs - Number(deadlineSeconds) * 1_000;
  const earliestMs = Math.max(lastMs ?? createdMs, deadlineMs);
  const first = schedule.next(earliestMs);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first !== undefined && nowMs < first) return { earliestMs, dueMs: undefined, missed: "none" };
  if (first === undefined || second === undefined)
    throw new Error("time difference between two schedules is less than 1 second");
  if (nowMs < second) return { earliestMs, dueMs: first, missed: "none" };
  const betweenMs = second - first;
  const count = Math.floor((nowMs - first) / betweenMs) + 1;
  let dueMs: number | undefined;
  // One period early, for schedules with uneven periods.
  let at = schedule.next(first + (count - 2) * betweenMs);
  for (; at !== undefined && at <= nowMs; at = schedule.next(at)) dueMs = at;
  return { earliestMs, dueMs, missed: count > 100 ? "many" : "few" };
}

/** The delay until the next reconcile, after the next start. Undefined if there is none. */
export function nextStartInMs(window: StartWindow, schedule: CronSchedule, nowMs: number): number | undefined {
  const next = schedule.next(lookFrom(window, schedule, nowMs));
  return next === undefined ? undefined : Math.max(1, next + paddingMs - nowMs);
}

function lookFrom(window: StartWindow, schedule: CronSchedule, nowMs: number): number {
  try {
    const { earliestMs, dueMs, missed } = dueStart({ ...window, deadlineSeconds: undefined }, schedule, nowMs);
    return dueMs ?? (missed === "none" ? earliestMs : nowMs);
  } catch {
    return nowMs;
  }
}
