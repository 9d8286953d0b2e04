import { formatTime } from "@kubewright/core/meta";
import { isAlreadyExists, type NewObject, type ReadOf } from "kubewright";
import type { CronJob, CronJobStatus, Job } from "kubewright/k8s/batch/v1";
import { type CronSchedule, isTimeZone, parseSchedule, TimeZone } from "../../cron/index.js";
import { finishedConditionOf, type JobView } from "../job/index.js";
import { isNamespaceTerminating, serverMessage } from "../pod/index.js";
import { dueStart, nextStartInMs } from "./missed-starts.js";

type CronJobView = ReadOf<typeof CronJob>;

/** Actions of one CronJob sync. */
export interface CronActions {
  readonly create: (
    job: Pick<NewObject<typeof Job>, "spec"> & {
      readonly metadata: {
        readonly name: string;
        readonly labels: Readonly<Record<string, string>>;
        readonly annotations: Readonly<Record<string, string>>;
      };
    },
  ) => Promise<JobView>;
  /** Whether a Job of this name exists, with any owner. */
  readonly exists: (name: string) => Promise<boolean>;
  readonly delete: (name: string) => Promise<unknown>;
  readonly event: (type: "Normal" | "Warning", reason: string, note: string) => void;
  readonly nowMs: number;
}

const scheduledAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** Creates the due Job of a CronJob and deletes Jobs beyond the history limits. Returns the delay until the next reconcile, in milliseconds. */
export async function syncCronJob(
  cron: CronJobView,
  jobs: readonly JobView[],
  actions: CronActions,
  status: CronJobStatus,
): Promise<number | undefined> {
  await cleanUpFinishedJobs(cron, jobs, actions, status);
  await updateActive(jobs, actions, status);
  const { spec, metadata } = cron;
  if (metadata.deletionTimestamp !== undefined || spec === undefined) return undefined;
  const schedule = scheduleOf(cron, actions);
  if (schedule === undefined) return undefined;
  const { event, nowMs } = actions;
  const window = () => ({
    createdMs: Date.parse(metadata.creationTimestamp),
    lastMs: status.lastScheduleTime === undefined ? undefined : Date.parse(status.lastScheduleTime),
    deadlineSeconds: spec.startingDeadlineSeconds,
  });
  const again = () => nextStartInMs(window(), schedule, nowMs);
  let due: ReturnType<typeof dueStart>;
  try {
    due = dueStart(window(), schedule, nowMs);
  } catch (error) {
    event("Warning", "InvalidSchedule", `invalid schedule: ${spec.schedule} : ${serverMessage(error)}`);
    return undefined;
  }
  const { dueMs, missed } = due;
  if (dueMs === undefined) return again();
  if (missed === "many")
    event(
      "Warning",
      "TooManyMissedTimes",
      "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
    );
  const { startingDeadlineSeconds: deadline } = spec;
  if (deadline !== undefined && dueMs + Number(deadline) * 1_000 < nowMs) {
    const at = new Date(dueMs).toUTCString().replace("GMT", "+0000");
    event("Warning", "MissSchedule", `Missed scheduled time to start a job: ${at}`);
    return again();
  }
  const name = jobName(cron, dueMs);
  const isDone = status.lastScheduleTime !== undefined && Date.parse(status.lastScheduleTime) === dueMs;
  if (isDone || status.active?.some((job) => job.name === name)) return again();
  if (spec.concurrencyPolicy === "Forbid" && (status.active?.length ?? 0) > 0) {
    const note = "Not starting job because prior execution is running and concurrency policy is Forbid";
    event("Normal", "JobAlreadyActive", note);
    return again();
  }
  if (spec.concurrencyPolicy === "Replace")
    for (const { name: running = "", uid = "" } of status.active ?? [])
      await removeJob({ name: running, uid }, actions, status);
  const job = await start(cron, jobs, dueMs, actions);
  if (job === undefined || status.active?.some(({ uid }) => uid === job.metadata.uid)) return undefined;
  const { namespace, uid, resourceVersion } = job.metadata;
  const reference = { apiVersion: "batch/v1", kind: "Job", namespace, name, uid, resourceVersion };
  status.active = [...(status.active ?? []), reference];
  status.lastScheduleTime = formatTime(dueMs);
  return again();
}

/** Creates the Job of a scheduled time, or finds the existing one. Undefined if a Job of another owner has the name. */
async function start(
  cron: CronJobView,
  jobs: readonly JobView[],
  dueMs: number,
  { create, event }: CronActions,
): Promise<JobView | undefined> {
  const { spec, metadata } = cron;
  const name = jobName(cron, dueMs);
  const { labels = {}, annotations = {} } = spec?.jobTemplate.metadata ?? {};
  const scheduled = { ...annotations, [scheduledAnnotation]: new TimeZone(spec?.timeZone).rfc3339(dueMs) };
  try {
    const template = spec?.jobTemplate.spec ?? { template: {} };
    const job = await create({ metadata: { name, labels, annotations: scheduled }, spec: template });
    event("Normal", "SuccessfulCreate", `Created job ${name}`);
    return job;
  } catch (error) {
    if (isAlreadyExists(error))
      return jobs.find((job) => job.metadata.name === name && job.metadata.namespace === metadata.namespace);
    if (!isNamespaceTerminating(error)) event("Warning", "FailedCreate", `Error creating job: ${serverMessage(error)}`);
    throw error;
  }
}

/** Contains the scheduled time, so that no time gets two Jobs. */
function jobName({ metadata }: CronJobView, dueMs: number): string {
  return `${metadata.name}-${Math.floor(dueMs / 60_000)}`;
}

/** The parsed schedule; undefined, with an event, if it is invalid, and for a suspended CronJob. */
function scheduleOf({ spec }: CronJobView, { event }: CronActions): CronSchedule | undefined {
  const { schedule = "", timeZone, suspend } = spec ?? {};
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const quoted = JSON.stringify(timeZone);
    event("Warning", "UnknownTimeZone", `invalid timeZone: ${quoted}: unknown time zone ${timeZone}`);
    return undefined;
  }
  if (suspend === true) return undefined;
  if (schedule.includes("TZ"))
    event(
      "Warning",
      "UnsupportedSchedule",
      `CRON_TZ or TZ used in schedule ${JSON.stringify(schedule)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
    );
  try {
    return parseSchedule(schedule, timeZone);
  } catch (error) {
    const note = `unparseable schedule: ${JSON.stringify(schedule)} : ${serverMessage(error)}`;
    event("Warning", "UnparseableSchedule", note);
    return undefined;
  }
}

/** Updates status.active and status.lastSuccessfulTime. */
async function updateActive(
  jobs: readonly JobView[],
  { event, exists }: CronActions,
  status: CronJobStatus,
): Promise<void> {
  const isActive = (uid: string): boolean => status.active?.some((job) => job.uid === uid) ?? false;
  for (const job of jobs) {
    const { name, uid } = job.metadata;
    const finished = finishedConditionOf(job);
    if (finished === undefined) {
      if (!isActive(uid))
        event("Warning", "UnexpectedJob", `Saw a job that the controller did not create or forgot: ${name}`);
      continue;
    }
    if (isActive(uid)) {
      dropActive(status, uid);
      event("Normal", "SawCompletedJob", `Saw completed job: ${name}, condition: ${finished.type}`);
    }
    const at = job.status?.completionTime;
    if (finished.type !== "Complete" || at === undefined) continue;
    if (status.lastSuccessfulTime === undefined || Date.parse(at) > Date.parse(status.lastSuccessfulTime))
      status.lastSuccessfulTime = at;
  }
  const existing = new Set(jobs.map(({ metadata }) => metadata.uid));
  for (const { name = "", uid = "" } of status.active ?? []) {
    if (existing.has(uid) || (await exists(name))) continue;
    event("Normal", "MissingJob", `Active job went missing: ${name}`);
    dropActive(status, uid);
  }
}

/** Deletes the oldest finished Jobs beyond the history limits. */
async function cleanUpFinishedJobs(
  { spec }: CronJobView,
  jobs: readonly JobView[],
  actions: CronActions,
  status: CronJobStatus,
): Promise<void> {
  const limits = [
    ["Complete", spec?.successfulJobsHistoryLimit],
    ["Failed", spec?.failedJobsHistoryLimit],
  ] as const;
  for (const [type, limit] of limits) {
    if (limit === undefined) continue;
    const finishedJobs = jobs.filter((job) => finishedConditionOf(job)?.type === type).sort(byStart);
    // A failed delete emitted an event; the next reconcile retries it.
    for (const { metadata } of finishedJobs.slice(0, Math.max(0, finishedJobs.length - limit)))
      await removeJob(metadata, actions, status).catch(() => undefined);
  }
}

async function removeJob(
  { name, uid }: { readonly name: string; readonly uid: string },
  actions: CronActions,
  status: CronJobStatus,
): Promise<void> {
  try {
    await actions.delete(name);
  } catch (error) {
    actions.event("Warning", "FailedDelete", `Deleted job: ${serverMessage(error)}`);
    throw error;
  }
  dropActive(status, uid);
  actions.event("Normal", "SuccessfulDelete", `Deleted job ${name}`);
}

function dropActive(status: CronJobStatus, uid: string): void {
  const left = status.active?.filter((job) => job.uid !== uid) ?? [];
  status.active = left.length === 0 ? undefined : left;
}

/** Jobs that have not started come last; equal times are ordered by name. */
function byStart(a: JobView, b: JobView): number {
  const at = ({ status }: JobView) =>
    status?.startTime === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(status.startTime);
  return at(a) - at(b) || (a.metadata.name < b.metadata.name ? -1 : 1);
}
