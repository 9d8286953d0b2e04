import { invalid, required } from "@kubewright/core/schema";
import type { Container, HTTPGetAction, LifecycleHandler, Probe } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import {
  checkName,
  checkNotNegative,
  checkOneOf,
  checkOptionalEnum,
  checkPortNumber,
  checkPortOrName,
  checkPresent,
  type Errors,
  entriesAt,
  headerName,
} from "../../../validation/index.js";

/** The context for validating the handlers of a pod. */
export interface HandlerContext {
  /** The pod's terminationGracePeriodSeconds. */
  readonly graceSeconds: number | undefined;
  readonly errors: Errors;
}

/** Validates the probes and lifecycle hooks of a container. */
export function checkHandlers(container: Decoded<Container>, field: string, context: HandlerContext): void {
  const { errors } = context;
  for (const name of ["postStart", "preStop"] as const) {
    const hook = container.lifecycle?.[name];
    if (hook !== undefined) checkHandler(hook, `${field}.lifecycle.${name}`, context);
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"] as const) {
    const probe = container[name];
    if (probe === undefined) continue;
    const at = `${field}.${name}`;
    checkProbe(probe, at, context);
    const { successThreshold = 0, terminationGracePeriodSeconds: grace } = probe;
    if (name === "readinessProbe") {
      if (grace !== undefined)
        errors.push(invalid(`${at}.terminationGracePeriodSeconds`, grace, "must not be set for readinessProbes"));
    } else if (successThreshold !== 1) errors.push(invalid(`${at}.successThreshold`, successThreshold, "must be 1"));
  }
}

const counts = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
] as const satisfies readonly (keyof Probe)[];

function checkProbe(probe: Decoded<Probe>, field: string, context: HandlerContext): void {
  const { errors } = context;
  checkHandler(probe, field, context);
  checkNotNegative(probe, counts, field, errors);
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0)
    errors.push(invalid(`${field}.terminationGracePeriodSeconds`, grace, "must be greater than 0"));
}

/** Validates a probe or lifecycle handler. */
function checkHandler(
  handler: Decoded<LifecycleHandler & Probe>,
  field: string,
  { graceSeconds, errors }: HandlerContext,
): void {
  const found = checkOneOf(
    handler,
    {
      exec({ command = [] }, at) {
        if (command.length === 0) errors.push(required(`${at}.command`));
      },
      httpGet: (part, at) => checkHttpGet(part, at, errors),
      tcpSocket: ({ port }, at) => checkPortOrName(port, `${at}.port`, errors),
      grpc: ({ port = 0 }, at) => checkPortNumber(port, `${at}.port`, errors),
      sleep({ seconds = 0 }, at) {
        if (graceSeconds !== undefined && (seconds < 0 || seconds > graceSeconds))
          errors.push(
            invalid(at, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`),
          );
      },
    },
    { field, tooMany: "may not specify more than 1 handler type", errors },
  );
  if (found === 0) errors.push(required(field, "must specify a handler type"));
}

function checkHttpGet(action: Decoded<HTTPGetAction>, field: string, errors: Errors): void {
  checkPresent(action, ["path"], field, errors);
  checkPortOrName(action.port, `${field}.port`, errors);
  checkOptionalEnum(action.scheme, ["HTTP", "HTTPS"], `${field}.scheme`, errors);
  for (const [header] of entriesAt(action, "httpHeaders", field))
    checkName(header.name ?? "", headerName, `${field}.httpHeaders`, errors);
}
