import { type Clock, systemClock } from "@kubewright/core/clock";
import { isOperatorError, OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import { isGuarded } from "./guarded-address.js";
import type { EndpointAnswer, EndpointHandler, EndpointRequest } from "./http-endpoint.js";
import type { LogThreshold } from "./leveled-logger.js";
import { Profiles } from "./profiles.js";

const logLevelPath = "/debug/log-level";
/** Bounds of a CPU profile, and its default. */
const seconds = { default: 30, min: 1, max: 60 };

/** The paths that accept PUT. */
export const debugPuts: readonly string[] = [logLevelPath];

/**
 * Serves `/debug/pprof/profile?seconds=30` (a CPU profile), `/debug/pprof/heap` (a heap snapshot) and `/debug/log-level` (GET, and PUT with `?level=`).
 * One profile at a time: a second request gets 409.
 */
export function debugHandler(options: {
  readonly threshold: LogThreshold;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** @default profiles of this process */
  readonly profiles?: Profiles;
}): EndpointHandler {
  const { threshold, logger, clock = systemClock, profiles = new Profiles(clock) } = options;
  return (url, request) => {
    switch (url.pathname) {
      case "/debug/pprof/profile":
        return profile(url, request, profiles);
      case "/debug/pprof/heap":
        return heap(request, profiles);
      case logLevelPath:
        return logLevel(url, request, threshold, logger);
      default:
        return undefined;
    }
  };
}

async function profile(url: URL, { method, signal }: EndpointRequest, profiles: Profiles): Promise<EndpointAnswer> {
  const wanted = url.searchParams.get("seconds") ?? String(seconds.default);
  const duration = /^\d+$/.test(wanted) ? Number(wanted) : 0;
  if (duration < seconds.min || duration > seconds.max)
    return { status: 400, body: `"seconds" must be a whole number from ${seconds.min} to ${seconds.max}\n` };
  if (method === "HEAD") return { status: 200, body: "" };
  if (profiles.recording) return busy;
  const body = await profiles.cpu(duration * 1_000, signal);
  return { status: 200, body, contentType: "application/json", fileName: "operator.cpuprofile" };
}

async function heap({ method }: EndpointRequest, profiles: Profiles): Promise<EndpointAnswer> {
  if (method === "HEAD") return { status: 200, body: "" };
  if (profiles.recording) return busy;
  return { status: 200, body: profiles.heap(), contentType: "application/json", fileName: "operator.heapsnapshot" };
}

const busy: EndpointAnswer = { status: 409, body: "another profile is being recorded\n" };

async function logLevel(
  url: URL,
  { method }: EndpointRequest,
  threshold: LogThreshold,
  logger: Logger,
): Promise<EndpointAnswer> {
  if (method !== "PUT") return { status: 200, body: `${threshold.level}\n` };
  const before = threshold.level;
  try {
    threshold.set(url.searchParams.get("level") ?? "");
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    return { status: 400, body: `${error.message}\n` };
  }
  logger.info({ before, level: threshold.level }, "Log level changed");
  return { status: 200, body: `${threshold.level}\n` };
}

/**
 * Checks where debug endpoints may be served: with authorization, or for this machine only. A heap snapshot contains what the process has in memory.
 * Throws CONFIG_INVALID.
 */
export function requireGuarded(address: string | undefined, isAuthorized: boolean): void {
  const fail = (why: string) => new OperatorError("CONFIG_INVALID", `Cannot serve debug endpoints: ${why}`);
  if (address === undefined) throw fail("set `metricsAddress`, on which they are served");
  if (isGuarded(address, isAuthorized)) return;
  throw fail(
    `"${address}" can be reached from other machines without authorization; set \`secureMetrics\`, or listen on "127.0.0.1:8080"`,
  );
}
