/** Of a Go struct: the name of one that is embedded in it, and which fields are its own, or which are the embedded ones. */
type Embedded = { readonly name: string } & ({ readonly own: string } | { readonly fields: string });

const reference: Embedded = { name: "LocalObjectReference", fields: "name" };
const device: Embedded = { name: "DeviceConfiguration", fields: "opaque" };
const rule: Embedded = { name: "Rule", fields: "apiGroups apiVersions resources scope" };

/** By the name of the struct. In JSON nothing is seen of them; Go's decoder names them when a value does not fit. */
const embeddings: ReadonlyMap<string, Embedded> = new Map<string, Embedded>([
  ["Volume", { name: "VolumeSource", own: "name" }],
  [
    "PersistentVolumeSpec",
    {
      name: "PersistentVolumeSource",
      own: "capacity accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions volumeMode nodeAffinity volumeAttributesClassName",
    },
  ],
  ["ConfigMapVolumeSource", reference],
  ["ConfigMapProjection", reference],
  ["SecretProjection", reference],
  ["ConfigMapEnvSource", reference],
  ["SecretEnvSource", reference],
  ["ConfigMapKeySelector", reference],
  ["SecretKeySelector", reference],
  ["Probe", { name: "ProbeHandler", fields: "exec httpGet tcpSocket grpc" }],
  ["EphemeralContainer", { name: "EphemeralContainerCommon", own: "targetContainerName" }],
  ["IngressRule", { name: "IngressRuleValue", fields: "http" }],
  ["RuleWithOperations", rule],
  ["NamedRuleWithOperations", { name: "RuleWithOperations", own: "resourceNames" }],
  ["DeviceClaimConfiguration", device],
  ["DeviceAllocationConfiguration", device],
  ["DeviceClassConfiguration", device],
]);

/** A field as Go's decoder names it, with the structs that it is embedded by: `VolumeSource.configMap`. */
export function goFieldPath(struct: string | undefined, field: string): string {
  const embedded = struct === undefined ? undefined : embeddings.get(struct);
  if (embedded === undefined) return field;
  const isEmbedded =
    "own" in embedded ? !embedded.own.split(" ").includes(field) : embedded.fields.split(" ").includes(field);
  return isEmbedded ? `${embedded.name}.${goFieldPath(embedded.name, field)}` : field;
}
