import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import { childDraft, type Draft, draftsIn, isDraft, listAt, objectAt, setDefault, textAt } from "../draft.js";
import { labelName } from "../name-rules.js";
import { checkLabels, invalidAt } from "../object-meta.js";

/** Fills in what a real server fills into a pod template. */
export function applyPodTemplateDefaults(template: Draft): void {
  const metadata = template["metadata"];
  if (isDraft(metadata) && metadata["creationTimestamp"] === null) delete metadata["creationTimestamp"];
  childDraft(template, "metadata");
  const spec = childDraft(template, "spec");
  for (const list of ["initContainers", "containers"])
    for (const container of draftsIn(spec[list])) applyContainerDefaults(container);
  for (const volume of draftsIn(spec["volumes"])) applyVolumeDefaults(volume);
  setDefault(spec, "dnsPolicy", "ClusterFirst");
  setDefault(spec, "restartPolicy", "Always");
  setDefault(spec, "schedulerName", "default-scheduler");
  setDefault(spec, "securityContext", {});
  setDefault(spec, "terminationGracePeriodSeconds", 30);
  // The server keeps the deprecated field equal to the one that replaced it.
  const account = spec["serviceAccountName"] ?? spec["serviceAccount"];
  if (typeof account === "string" && account !== "") {
    spec["serviceAccountName"] = account;
    spec["serviceAccount"] = account;
  }
}

function applyContainerDefaults(container: Draft): void {
  setDefault(container, "imagePullPolicy", pullPolicyOf(textAt(container, "image")));
  setDefault(container, "terminationMessagePath", "/dev/termination-log");
  setDefault(container, "terminationMessagePolicy", "File");
  setDefault(container, "resources", {});
  for (const port of draftsIn(container["ports"])) setDefault(port, "protocol", "TCP");
  for (const variable of draftsIn(container["env"])) {
    const source = variable["valueFrom"];
    if (isDraft(source) && isDraft(source["fieldRef"])) setDefault(source["fieldRef"], "apiVersion", "v1");
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = container[name];
    if (isDraft(probe)) applyProbeDefaults(probe);
  }
  const lifecycle = container["lifecycle"];
  if (isDraft(lifecycle))
    for (const hook of Object.values(lifecycle)) if (isDraft(hook)) applyHttpGetDefaults(hook["httpGet"]);
}

/** `:latest` and no tag are always pulled; a digest has no tag but is fixed. */
function pullPolicyOf(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1);
  if (name.includes("@")) return "IfNotPresent";
  const tag = name.includes(":") ? name.slice(name.indexOf(":") + 1) : "latest";
  return tag === "latest" ? "Always" : "IfNotPresent";
}

function applyProbeDefaults(probe: Draft): void {
  for (const [key, value] of [
    ["timeoutSeconds", 1],
    ["periodSeconds", 10],
    ["successThreshold", 1],
    ["failureThreshold", 3],
  ] as const)
    if (probe[key] === undefined || probe[key] === 0) probe[key] = value;
  applyHttpGetDefaults(probe["httpGet"]);
  if (isDraft(probe["grpc"]) && probe["grpc"]["service"] === undefined) probe["grpc"]["service"] = "";
}

function applyHttpGetDefaults(action: Draft[string] | undefined): void {
  if (!isDraft(action)) return;
  setDefault(action, "path", "/");
  setDefault(action, "scheme", "HTTP");
}

function applyVolumeDefaults(volume: Draft): void {
  for (const source of ["secret", "configMap", "downwardAPI", "projected"]) {
    const found = volume[source];
    if (isDraft(found)) setDefault(found, "defaultMode", 0o644);
  }
  const host = volume["hostPath"];
  if (isDraft(host) && host["type"] === undefined) host["type"] = "";
  const projected = volume["projected"];
  if (isDraft(projected))
    for (const part of draftsIn(projected["sources"]))
      if (isDraft(part["serviceAccountToken"])) setDefault(part["serviceAccountToken"], "expirationSeconds", 3600);
  if (Object.keys(volume).every((key) => key === "name")) volume["emptyDir"] = {};
}

/** What breaks the basic rules of a pod template: labels, containers, their names and images, volume mounts. */
export function checkPodTemplate(template: JsonObject, field: string): FieldError[] {
  const errors = checkLabels(objectAt(objectAt(template, "metadata"), "labels"), `${field}.metadata.labels`);
  const spec = objectAt(template, "spec");
  const volumes = new Set<string>();
  for (const [index, volume] of listAt(spec, "volumes").entries()) {
    if (!isJsonObject(volume)) continue;
    errors.push(...checkUniqueName(textAt(volume, "name"), `${field}.spec.volumes[${index}].name`, volumes));
  }
  const containers = listAt(spec, "containers");
  if (containers.length === 0)
    errors.push({ type: "Required", field: `${field}.spec.containers`, badValue: "", detail: "" });
  const names = new Set<string>();
  for (const list of ["containers", "initContainers"])
    for (const [index, container] of listAt(spec, list).entries())
      if (isJsonObject(container))
        errors.push(...checkContainer(container, `${field}.spec.${list}[${index}]`, names, volumes));
  return errors;
}

function checkUniqueName(name: string, field: string, known: Set<string>): FieldError[] {
  if (name === "") return [{ type: "Required", field, badValue: "", detail: "" }];
  const errors = labelName(name).map((detail) => invalidAt(field, name, detail));
  if (known.has(name)) errors.push({ type: "Duplicate", field, badValue: name, detail: "" });
  known.add(name);
  return errors;
}

function checkContainer(container: JsonObject, field: string, names: Set<string>, volumes: Set<string>): FieldError[] {
  const naming = checkUniqueName(textAt(container, "name"), `${field}.name`, names);
  // A real server finds a name that is taken only after it has looked at the rest of the container.
  const taken = naming.filter((error) => error.type === "Duplicate");
  const errors = naming.filter((error) => error.type !== "Duplicate");
  const image = textAt(container, "image");
  if (image === "") errors.push({ type: "Required", field: `${field}.image`, badValue: "", detail: "" });
  for (const [index, port] of listAt(container, "ports").entries()) {
    const number = isJsonObject(port) ? port["containerPort"] : undefined;
    const at = `${field}.ports[${index}].containerPort`;
    if (number === undefined || number === 0) errors.push({ type: "Required", field: at, badValue: "", detail: "" });
    else if (typeof number === "number" && (number < 1 || number > 65535))
      errors.push(invalidAt(at, number, "must be between 1 and 65535, inclusive"));
  }
  for (const [index, mount] of listAt(container, "volumeMounts").entries()) {
    if (!isJsonObject(mount)) continue;
    const name = textAt(mount, "name");
    const at = `${field}.volumeMounts[${index}]`;
    if (name === "") errors.push({ type: "Required", field: `${at}.name`, badValue: "", detail: "" });
    else if (!volumes.has(name)) errors.push({ type: "NotFound", field: `${at}.name`, badValue: name, detail: "" });
    if (textAt(mount, "mountPath") === "")
      errors.push({ type: "Required", field: `${at}.mountPath`, badValue: "", detail: "" });
  }
  const policy = textAt(container, "imagePullPolicy");
  const policies = ["Always", "IfNotPresent", "Never"];
  if (!policies.includes(policy))
    errors.push({
      type: "NotSupported",
      field: `${field}.imagePullPolicy`,
      badValue: policy,
      detail: `supported values: ${policies.map((value) => `"${value}"`).join(", ")}`,
    });
  return [...errors, ...taken];
}
