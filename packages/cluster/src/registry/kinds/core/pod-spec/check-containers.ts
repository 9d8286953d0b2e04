import { duplicate, forbidden, invalid, required, tooMany } from "@kubewright/core/schema";
import type { Container, EphemeralContainer, PodSpec } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { labelName } from "../../../name-rules.js";
import {
  checkEnum,
  checkName,
  checkOptionalEnum,
  checkPortNumber,
  checkRequiredName,
  checkResources,
  type Errors,
  entriesAt,
  portName,
} from "../../../validation/index.js";
import { checkEnvironment } from "./check-environment.js";
import { checkHandlers, type HandlerContext } from "./check-handlers.js";
import { checkMounts, type Volumes } from "./check-mounts.js";
import { checkSecurityContext } from "./check-security.js";

/** The context for validating the containers of a pod. */
export interface ContainerContext extends HandlerContext {
  readonly volumes: Volumes;
  /** The names of the pod's resourceClaims. */
  readonly claims: ReadonlySet<string>;
  readonly restartPolicy: string;
  readonly usesHostUsers: boolean;
}

/** Validates the containers of a pod. */
export function checkContainers(spec: Decoded<PodSpec>, field: string, context: ContainerContext): void {
  const { errors } = context;
  if (!spec.containers?.length) errors.push(required(`${field}.containers`));
  const names = new Set<string>();
  for (const [container, at] of entriesAt(spec, "containers", field)) {
    checkContainer(container, at, context);
    checkUniqueName(container, at, names, errors);
    checkHandlers(container, at, context);
    checkRestartPolicy(container, at, errors);
  }
  checkHostPorts(entriesAt(spec, "containers", field), errors);
  checkInitContainers(spec, field, names, context);
  checkEphemeralContainers(spec, field, names, context);
}

function checkUniqueName({ name = "" }: Decoded<Container>, at: string, names: Set<string>, errors: Errors): void {
  if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
  else if (name !== "" || at.includes(".containers[")) names.add(name);
}

/** Validates the fields that all container types share. */
function checkContainer(container: Decoded<Container>, field: string, context: ContainerContext): void {
  const { errors } = context;
  const { name = "", terminationMessagePolicy = "", imagePullPolicy = "", resources = {}, securityContext } = container;
  checkRequiredName(name, labelName, `${field}.name`, errors);
  if (!container.image) errors.push(required(`${field}.image`));
  const messages = ["File", "FallbackToLogsOnError"];
  checkEnum(terminationMessagePolicy, messages, `${field}.terminationMessagePolicy`, errors);
  checkPorts(container, field, errors);
  checkEnvironment(container, field, errors);
  checkMounts(container, context.volumes, field, errors);
  const policies = ["Always", "IfNotPresent", "Never"];
  checkEnum(imagePullPolicy, policies, `${field}.imagePullPolicy`, errors);
  checkResources(resources, `${field}.resources`, context);
  checkResizePolicy(container, field, context);
  if (securityContext) checkSecurityContext(securityContext, `${field}.securityContext`, context.usesHostUsers, errors);
}

function checkPorts(container: Decoded<Container>, field: string, errors: Errors): void {
  const names = new Set<string>();
  for (const [port, at] of entriesAt(container, "ports", field)) {
    const { name = "", containerPort = 0, hostPort = 0, protocol = "" } = port;
    if (name !== "") {
      if (portName(name).length > 0) checkName(name, portName, `${at}.name`, errors);
      else if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
      else names.add(name);
    }
    if (containerPort === 0) errors.push(required(`${at}.containerPort`));
    else checkPortNumber(containerPort, `${at}.containerPort`, errors);
    if (hostPort !== 0) checkPortNumber(hostPort, `${at}.hostPort`, errors);
    checkEnum(protocol, ["SCTP", "TCP", "UDP"], `${at}.protocol`, errors);
  }
}

/** Rejects a host port that several of these containers use. */
function checkHostPorts(containers: readonly (readonly [Decoded<Container>, string])[], errors: Errors): void {
  const taken = new Set<string>();
  for (const [container, at] of containers)
    for (const [{ hostPort = 0, protocol = "", hostIP = "" }, place] of entriesAt(container, "ports", at)) {
      if (hostPort === 0) continue;
      const id = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(id)) errors.push(duplicate(`${place}.hostPort`, id));
      taken.add(id);
    }
}

function checkResizePolicy(container: Decoded<Container>, field: string, context: ContainerContext): void {
  const { errors } = context;
  const seen = new Set<string>();
  // kube-apiserver reports the list, and the entry only for duplicates.
  const list = `${field}.resizePolicy`;
  for (const [{ resourceName = "", restartPolicy = "" }, at] of entriesAt(container, "resizePolicy", field)) {
    if (seen.has(resourceName)) errors.push(duplicate(at, resourceName));
    seen.add(resourceName);
    checkEnum(resourceName, ["cpu", "memory"], list, errors);
    checkEnum(restartPolicy, ["NotRequired", "RestartContainer"], list, errors);
    if (context.restartPolicy === "Never" && restartPolicy !== "NotRequired")
      errors.push(invalid(list, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
  }
}

const needsPolicy = "must specify restartPolicy when restart rules are used";

/** Validates restartPolicy and restartPolicyRules of a container. */
function checkRestartPolicy(container: Decoded<Container>, field: string, errors: Errors): void {
  const { restartPolicy: policy, restartPolicyRules: rules = [] } = container;
  if (policy === undefined && rules.length > 0) errors.push(required(`${field}.restartPolicy`, needsPolicy));
  else checkOptionalEnum(policy, ["Always", "Never", "OnFailure"], `${field}.restartPolicy`, errors);
  if (rules.length > 20) errors.push(tooMany(`${field}.restartPolicyRules`, rules.length, 20));
  for (const [{ action = "", exitCodes }, at] of entriesAt(container, "restartPolicyRules", field)) {
    checkOptionalEnum(action, ["Restart", "RestartAllContainers"], `${at}.action`, errors);
    if (exitCodes === undefined) {
      errors.push(required(`${at}.exitCodes`, "must be specified"));
      continue;
    }
    const { operator = "", values = [] } = exitCodes;
    checkOptionalEnum(operator, ["In", "NotIn"], `${at}.exitCodes.operator`, errors);
    if (values.length > 255) errors.push(tooMany(`${at}.exitCodes.values`, values.length, 255));
  }
}

const notForInit = "may not be set for init containers without restartPolicy=Always";

function checkInitContainers(
  spec: Decoded<PodSpec>,
  field: string,
  known: ReadonlySet<string>,
  context: ContainerContext,
): void {
  const { errors } = context;
  const names = new Set(known);
  for (const [container, at] of entriesAt(spec, "initContainers", field)) {
    checkContainer(container, at, context);
    if (container.restartPolicy !== undefined) checkRestartPolicy(container, at, errors);
    else if (container.restartPolicyRules?.length) errors.push(required(`${at}.restartPolicy`, needsPolicy));
    checkUniqueName(container, at, names, errors);
    checkHostPorts([[container, at]], errors);
    const isSidecar = container.restartPolicy === "Always";
    if (isSidecar) checkHandlers(container, at, context);
    else
      for (const part of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const)
        if (container[part] !== undefined) errors.push(forbidden(`${at}.${part}`, notForInit));
    if (isSidecar) continue;
    for (const [policy, place] of entriesAt(container, "resizePolicy", at))
      if (policy.restartPolicy === "RestartContainer")
        errors.push(
          invalid(
            `${place}.restartPolicy`,
            "RestartContainer",
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        );
  }
}

/** Rejects whitespace around the image of a container in a pod. */
export function checkImagePadding({ image = "" }: Decoded<Container>, field: string, errors: Errors): void {
  if (image !== image.trim())
    errors.push(invalid(`${field}.image`, image, "must not have leading or trailing whitespace"));
}

const notForEphemeral = "cannot be set for an Ephemeral Container";
const forbiddenForEphemeral: readonly (keyof EphemeralContainer)[] = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

function checkEphemeralContainers(
  spec: Decoded<PodSpec>,
  field: string,
  known: ReadonlySet<string>,
  context: ContainerContext,
): void {
  const { errors } = context;
  const others = new Set(known);
  for (const [container] of entriesAt(spec, "initContainers", field)) others.add(container.name ?? "");
  const names = new Set(others);
  for (const [container, at] of entriesAt(spec, "ephemeralContainers", field)) {
    checkContainer(container, at, context);
    checkImagePadding(container, at, errors);
    checkUniqueName(container, at, names, errors);
    const target = container.targetContainerName ?? "";
    if (target !== "" && !others.has(target))
      errors.push({ type: "NotFound", field: `${at}.targetContainerName`, badValue: target, detail: "" });
    for (const part of forbiddenForEphemeral) {
      const value = container[part];
      // `resources` is a struct: it is set if one of its fields is.
      const isSet = value !== undefined && (part !== "resources" || Object.keys(value ?? {}).length > 0);
      if (isSet) errors.push(forbidden(`${at}.${part}`, notForEphemeral));
    }
    for (const [mount, place] of entriesAt(container, "volumeMounts", at))
      for (const part of ["subPath", "subPathExpr"] as const)
        if (mount[part]) errors.push(forbidden(`${place}.${part}`, notForEphemeral));
  }
}
