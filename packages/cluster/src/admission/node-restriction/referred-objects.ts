import { goQuote, type JsonObject } from "@kubewright/core/json";
import { listAt, objectAt, textAt } from "../../registry/index.js";
import { containersOf, environmentReferences, referredSecrets } from "../service-account/index.js";

/** What the API objects behind volume sources are called, in the order in which they are looked for. */
const volumeObjects: readonly (readonly [source: string, resource: string])[] = [
  ["configMap", "configmaps (via configmap volumes)"],
  ["secret", "secrets (via secret volumes)"],
  ["csi", "csidrivers (via CSI volumes)"],
  ["glusterfs", "endpoints (via glusterFS volumes)"],
  ["persistentVolumeClaim", "persistentvolumeclaims"],
  ["ephemeral", "persistentvolumeclaims (via ephemeral volumes)"],
  ["azureFile", "secrets (via azureFile volumes)"],
];

const projectedObjects: readonly (readonly [source: string, resource: string])[] = [
  ["configMap", "configmaps (via projected volumes)"],
  ["secret", "secrets (via projected volumes)"],
  ["serviceAccountToken", "serviceaccounts (via projected volumes)"],
  ["clusterTrustBundle", "clustertrustbundles"],
  ["podCertificate", "podcertificates"],
];

/** The first kind of API objects that a pod refers to; `problem` if a projected volume cannot be read. */
export function referredObject(spec: JsonObject): { readonly resource?: string; readonly problem?: string } {
  if (textAt(spec, "serviceAccountName") !== "") return { resource: "serviceaccounts" };
  if (referredSecrets(spec).length > 0) return { resource: "secrets" };
  if (refersToConfigMaps(spec)) return { resource: "configmaps" };
  if (listAt(spec, "resourceClaims").length > 0) return { resource: "resourceclaims" };
  for (const volume of listAt(spec, "volumes") as readonly JsonObject[]) {
    const direct = firstOf(volumeObjects, volume);
    if (direct !== undefined) return { resource: direct };
    for (const source of listAt(objectAt(volume, "projected"), "sources") as readonly JsonObject[]) {
      const projected = firstOf(projectedObjects, source);
      if (projected !== undefined) return { resource: projected };
      if (source["downwardAPI"] === undefined)
        return { problem: `unknown source for projected volume ${goQuote(textAt(volume, "name"))}` };
    }
  }
  return {};
}

function firstOf(
  objects: readonly (readonly [source: string, resource: string])[],
  volume: JsonObject,
): string | undefined {
  return objects.find(([source]) => volume[source] !== undefined)?.[1];
}

function refersToConfigMaps(spec: JsonObject): boolean {
  const containers = containersOf(spec, "initContainers", "containers", "ephemeralContainers");
  const inEnvironment = containers.flatMap((one) => environmentReferences(one, "configMapKeyRef", "configMapRef"));
  const inVolumes = (listAt(spec, "volumes") as readonly JsonObject[]).flatMap((volume) => [
    textAt(objectAt(volume, "configMap"), "name"),
    ...(listAt(objectAt(volume, "projected"), "sources") as readonly JsonObject[]).map((source) =>
      textAt(objectAt(source, "configMap"), "name"),
    ),
  ]);
  return [...inEnvironment.map(({ name }) => name), ...inVolumes].some((name) => name !== "");
}
