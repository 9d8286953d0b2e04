import type { JsonObject } from "@kubewright/core/json";
import { listAt, objectAt, textAt } from "../../registry/index.js";

/** A reference to a Secret by a container. */
export interface SecretUse {
  readonly name: string;
  /** The environment variable; undefined for an `envFrom`. */
  readonly variable?: string;
}

/** Where volume sources name a Secret: the reference, and its field. */
const volumeSecrets: readonly (readonly [source: string, reference: string, field: string])[] = [
  ["azureFile", "", "secretName"],
  ["secret", "", "secretName"],
  ["csi", "nodePublishSecretRef", "name"],
  ...["cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos"].map(
    (source) => [source, "secretRef", "name"] as const,
  ),
];

/** The containers of a pod spec, init containers first. */
export function containersOf(spec: JsonObject, ...lists: readonly string[]): readonly JsonObject[] {
  return lists.flatMap((list) => listAt(spec, list) as readonly JsonObject[]);
}

/** The Secrets in the environment of a container: those of `env`, then those of `envFrom`. */
export function environmentSecrets(container: JsonObject): readonly SecretUse[] {
  return environmentReferences(container, "secretKeyRef", "secretRef");
}

/** The objects that the environment of a container refers to. */
export function environmentReferences(container: JsonObject, ofVariable: string, ofSource: string): SecretUse[] {
  const found: SecretUse[] = [];
  for (const one of listAt(container, "env") as readonly JsonObject[]) {
    const reference = objectAt(one, "valueFrom")[ofVariable];
    if (reference !== undefined)
      found.push({ name: textAt(reference as JsonObject, "name"), variable: textAt(one, "name") });
  }
  for (const one of listAt(container, "envFrom") as readonly JsonObject[])
    if (one[ofSource] !== undefined) found.push({ name: textAt(objectAt(one, ofSource), "name") });
  return found;
}

/** The names of all Secrets that a pod refers to. */
export function referredSecrets(spec: JsonObject): readonly string[] {
  const containers = containersOf(spec, "initContainers", "containers", "ephemeralContainers");
  const names = [
    ...(listAt(spec, "imagePullSecrets") as readonly JsonObject[]).map((one) => textAt(one, "name")),
    ...containers.flatMap(environmentSecrets).map(({ name }) => name),
    ...(listAt(spec, "volumes") as readonly JsonObject[]).flatMap(secretsOfVolume),
  ];
  return names.filter((name) => name !== "");
}

function secretsOfVolume(volume: JsonObject): string[] {
  const direct = volumeSecrets.map(([source, reference, field]) => {
    const found = objectAt(volume, source);
    return textAt(reference === "" ? found : objectAt(found, reference), field);
  });
  const sources = listAt(objectAt(volume, "projected"), "sources") as readonly JsonObject[];
  return [...direct, ...sources.map((source) => textAt(objectAt(source, "secret"), "name"))];
}
