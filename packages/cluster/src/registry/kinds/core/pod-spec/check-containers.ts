import type { JsonObject } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, required, tooMany } from "@kubewright/core/schema";
import { listAt, numberAt, partAt, textAt } from "../../../draft.js";
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

/** What the checks of a pod's containers share. */
export interface ContainerContext extends HandlerContext {
  readonly volumes: Volumes;
  readonly claims: ReadonlySet<string>;
  readonly restartPolicy: string;
  readonly sharesUsers: boolean;
}

/** Validates the containers of a pod. */
export function checkContainers(spec: JsonObject, field: string, context: ContainerContext): void {
  const { errors } = context;
  if (listAt(spec, "containers").length === 0) errors.push(required(`${field}.containers`));
  const names = new Set<string>();
  for (const [container, at] of entriesAt(spec, "containers", field)) {
    checkContainer(container, at, context);
    takeName(container, at, names, errors);
    checkHandlers(container, at, context);
    checkRestartPolicy(container, at, errors);
  }
  checkHostPorts(spec, "containers", field, errors);
  checkInitContainers(spec, field, names, context);
  checkEphemeralContainers(spec, field, names, context);
}

function takeName(container: JsonObject, at: string, names: Set<string>, errors: Errors): void {
  const name = textAt(container, "name");
  if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
  else if (name !== "" || at.includes(".containers[")) names.add(name);
}

/** Validates what all container types share. */
function checkContainer(container: JsonObject, field: string, context: ContainerContext): void {
  const { errors } = context;
  checkRequiredName(textAt(container, "name"), labelName, `${field}.name`, errors);
  if (textAt(container, "image") === "") errors.push(required(`${field}.image`));
  const messages = ["File", "FallbackToLogsOnError"];
  checkEnum(textAt(container, "terminationMessagePolicy"), messages, `${field}.terminationMessagePolicy`, errors);
  checkPorts(container, field, errors);
  checkEnvironment(container, field, errors);
  checkMounts(container, context.volumes, field, errors);
  const policies = ["Always", "IfNotPresent", "Never"];
  checkEnum(textAt(container, "imagePullPolicy"), policies, `${field}.imagePullPolicy`, errors);
  checkResources(partAt(container, "resources") ?? {}, `${field}.resources`, context);
  checkResizePolicy(container, field, context);
  const security = partAt(container, "securityContext");
  if (security !== undefined) checkSecurityContext(security, `${field}.securityContext`, context.sharesUsers, errors);
}

function checkPorts(container: JsonObject, field: string, errors: Errors): void {
  const names = new Set<string>();
  for (const [port, at] of entriesAt(container, "ports", field)) {
    const name = textAt(port, "name");
    if (name !== "") {
      if (portName(name).length > 0) checkName(name, portName, `${at}.name`, errors);
      else if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
      else names.add(name);
    }
    const number = numberAt(port, "containerPort");
    if (number === 0) errors.push(required(`${at}.containerPort`));
    else checkPortNumber(number, `${at}.containerPort`, errors);
    const host = numberAt(port, "hostPort");
    if (host !== 0) checkPortNumber(host, `${at}.hostPort`, errors);
    checkEnum(textAt(port, "protocol"), ["SCTP", "TCP", "UDP"], `${at}.protocol`, errors);
  }
}

function checkHostPorts(spec: JsonObject, list: string, field: string, errors: Errors): void {
  const taken = new Set<string>();
  for (const [container, at] of entriesAt(spec, list, field))
    for (const [port, place] of entriesAt(container, "ports", at)) {
      const number = numberAt(port, "hostPort");
      if (number === 0) continue;
      const id = `${textAt(port, "protocol")}/${textAt(port, "hostIP")}/${number}`;
      if (taken.has(id)) errors.push(duplicate(`${place}.hostPort`, id));
      taken.add(id);
    }
}

function checkResizePolicy(container: JsonObject, field: string, { restartPolicy, errors }: ContainerContext): void {
  const seen = new Set<string>();
  // kube-apiserver names the list, and the entry only for duplicates.
  const list = `${field}.resizePolicy`;
  for (const [policy, at] of entriesAt(container, "resizePolicy", field)) {
    const resource = textAt(policy, "resourceName");
    const restart = textAt(policy, "restartPolicy");
    if (seen.has(resource)) errors.push(duplicate(at, resource));
    seen.add(resource);
    checkEnum(resource, ["cpu", "memory"], list, errors);
    checkEnum(restart, ["NotRequired", "RestartContainer"], list, errors);
    if (restartPolicy === "Never" && restart !== "NotRequired")
      errors.push(invalid(list, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
  }
}

const needsPolicy = "must specify restartPolicy when restart rules are used";

/** Validates restartPolicy and restartPolicyRules of a container. */
function checkRestartPolicy(container: JsonObject, field: string, errors: Errors): void {
  const policy = container["restartPolicy"];
  const rules = listAt(container, "restartPolicyRules");
  if (policy === undefined && rules.length > 0) errors.push(required(`${field}.restartPolicy`, needsPolicy));
  else checkOptionalEnum(policy, ["Always", "Never", "OnFailure"], `${field}.restartPolicy`, errors);
  if (rules.length > 20) errors.push(tooMany(`${field}.restartPolicyRules`, rules.length, 20));
  for (const [rule, at] of entriesAt(container, "restartPolicyRules", field)) {
    checkOptionalEnum(textAt(rule, "action"), ["Restart", "RestartAllContainers"], `${at}.action`, errors);
    const codes = partAt(rule, "exitCodes");
    if (codes === undefined) {
      errors.push(required(`${at}.exitCodes`, "must be specified"));
      continue;
    }
    checkOptionalEnum(textAt(codes, "operator"), ["In", "NotIn"], `${at}.exitCodes.operator`, errors);
    const values = listAt(codes, "values");
    if (values.length > 255) errors.push(tooMany(`${at}.exitCodes.values`, values.length, 255));
  }
}

const notForInit = "may not be set for init containers without restartPolicy=Always";

function checkInitContainers(
  spec: JsonObject,
  field: string,
  known: ReadonlySet<string>,
  context: ContainerContext,
): void {
  const { errors } = context;
  const names = new Set(known);
  for (const [container, at] of entriesAt(spec, "initContainers", field)) {
    checkContainer(container, at, context);
    if (container["restartPolicy"] !== undefined) checkRestartPolicy(container, at, errors);
    else if (listAt(container, "restartPolicyRules").length > 0)
      errors.push(required(`${at}.restartPolicy`, needsPolicy));
    takeName(container, at, names, errors);
    checkHostPorts({ initContainers: [container] }, "initContainers", field, errors);
    const isSidecar = textAt(container, "restartPolicy") === "Always";
    if (isSidecar) checkHandlers(container, at, context);
    else
      for (const part of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"])
        if (partAt(container, part) !== undefined) errors.push(forbidden(`${at}.${part}`, notForInit));
    if (isSidecar) continue;
    for (const [policy, place] of entriesAt(container, "resizePolicy", at))
      if (textAt(policy, "restartPolicy") === "RestartContainer")
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
function checkImagePadding(container: JsonObject, field: string, errors: Errors): void {
  const image = textAt(container, "image");
  if (image !== image.trim())
    errors.push(invalid(`${field}.image`, image, "must not have leading or trailing whitespace"));
}

const notForEphemeral = "cannot be set for an Ephemeral Container";
const forbiddenForEphemeral = [
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
  spec: JsonObject,
  field: string,
  known: ReadonlySet<string>,
  context: ContainerContext,
): void {
  const { errors } = context;
  const others = new Set(known);
  for (const [container] of entriesAt(spec, "initContainers", field)) others.add(textAt(container, "name"));
  const names = new Set(others);
  for (const [container, at] of entriesAt(spec, "ephemeralContainers", field)) {
    checkContainer(container, at, context);
    checkImagePadding(container, at, errors);
    takeName(container, at, names, errors);
    const target = textAt(container, "targetContainerName");
    if (target !== "" && !others.has(target))
      errors.push({ type: "NotFound", field: `${at}.targetContainerName`, badValue: target, detail: "" });
    for (const part of forbiddenForEphemeral) {
      const value = container[part];
      // `resources` is a struct: it is set if one of its fields is.
      const isSet = value !== undefined && (part !== "resources" || Object.keys(value ?? {}).length > 0);
      if (isSet) errors.push(forbidden(`${at}.${part}`, notForEphemeral));
    }
    for (const [mount, place] of entriesAt(container, "volumeMounts", at))
      for (const part of ["subPath", "subPathExpr"])
        if (textAt(mount, part) !== "") errors.push(forbidden(`${place}.${part}`, notForEphemeral));
  }
}
