import type { JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { listAt, numberAt, optionalNumber, partAt, textAt } from "../../../draft.js";
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

/** What the checks of a pod's handlers share. */
export interface HandlerContext {
  /** The pod's terminationGracePeriodSeconds. */
  readonly graceSeconds: number | undefined;
  readonly errors: Errors;
}

/** Validates the probes and lifecycle hooks of a container. */
export function checkHandlers(container: JsonObject, field: string, context: HandlerContext): void {
  const { errors } = context;
  const lifecycle = partAt(container, "lifecycle");
  if (lifecycle !== undefined) checkLifecycle(lifecycle, `${field}.lifecycle`, context);
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = partAt(container, name);
    if (probe === undefined) continue;
    const at = `${field}.${name}`;
    checkProbe(probe, at, context);
    if (name === "readinessProbe") {
      if (optionalNumber(probe, "terminationGracePeriodSeconds") !== undefined)
        errors.push(
          invalid(
            `${at}.terminationGracePeriodSeconds`,
            numberAt(probe, "terminationGracePeriodSeconds"),
            "must not be set for readinessProbes",
          ),
        );
    } else if (numberAt(probe, "successThreshold") !== 1)
      errors.push(invalid(`${at}.successThreshold`, numberAt(probe, "successThreshold"), "must be 1"));
  }
}

function checkProbe(probe: JsonObject, field: string, context: HandlerContext): void {
  const { errors } = context;
  checkHandler(probe, field, context);
  const numbers = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];
  checkNotNegative(probe, numbers, field, errors);
  const grace = optionalNumber(probe, "terminationGracePeriodSeconds");
  if (grace !== undefined && grace <= 0)
    errors.push(invalid(`${field}.terminationGracePeriodSeconds`, grace, "must be greater than 0"));
}

function checkLifecycle(lifecycle: JsonObject, field: string, context: HandlerContext): void {
  for (const name of ["postStart", "preStop"]) {
    const hook = partAt(lifecycle, name);
    if (hook !== undefined) checkHandler(hook, `${field}.${name}`, context);
  }
}

/** Validates a probe or lifecycle handler. */
function checkHandler(handler: JsonObject, field: string, { graceSeconds, errors }: HandlerContext): void {
  const found = checkOneOf(
    handler,
    {
      exec(part, at) {
        if (listAt(part, "command").length === 0) errors.push(required(`${at}.command`));
      },
      httpGet: (part, at) => checkHttpGet(part, at, errors),
      tcpSocket: (part, at) => checkPortOrName(part["port"], `${at}.port`, errors),
      grpc: (part, at) => checkPortNumber(numberAt(part, "port"), `${at}.port`, errors),
      sleep(part, at) {
        const seconds = numberAt(part, "seconds");
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

function checkHttpGet(action: JsonObject, field: string, errors: Errors): void {
  checkPresent(action, ["path"], field, errors);
  checkPortOrName(action["port"], `${field}.port`, errors);
  checkOptionalEnum(textAt(action, "scheme"), ["HTTP", "HTTPS"], `${field}.scheme`, errors);
  for (const [header] of entriesAt(action, "httpHeaders", field))
    checkName(textAt(header, "name"), headerName, `${field}.httpHeaders`, errors);
}
