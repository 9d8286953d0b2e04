import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/** The resource that a field of a Pod refers to, by the field's name. The reference is an object with a name. */
const referenceFields: Readonly<Record<string, string>> = {
  secretRef: "secrets",
  secretKeyRef: "secrets",
  nodePublishSecretRef: "secrets",
  secret: "secrets",
  configMap: "configmaps",
  configMapRef: "configmaps",
  configMapKeyRef: "configmaps",
};

/** The same for fields that contain the name itself. */
const nameFields: Readonly<Record<string, string>> = {
  secretName: "secrets",
  claimName: "persistentvolumeclaims",
  serviceAccountName: "serviceaccounts",
  resourceClaimName: "resourceclaims",
};

/** The objects in a Pod's namespace that it refers to, as `<resource>/<name>`. */
export function podReferences({ metadata, spec, status }: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  collect(spec, found);
  // Claims from templates are named in the status.
  if (isJsonObject(status)) collect(status["resourceClaimStatuses"], found);
  const { imagePullSecrets, volumes } = isJsonObject(spec) ? spec : {};
  for (const secret of objects(imagePullSecrets)) add(found, "secrets", secret["name"]);
  const podName = isJsonObject(metadata) ? metadata["name"] : undefined;
  for (const volume of objects(volumes))
    if (volume["ephemeral"] !== undefined) add(found, "persistentvolumeclaims", `${podName}-${volume["name"]}`);
  return found;
}

function collect(value: JsonValue | undefined, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, found);
  if (!isJsonObject(value)) return;
  for (const [field, inner] of Object.entries(value)) {
    const referred = referenceFields[field];
    if (referred !== undefined && isJsonObject(inner)) add(found, referred, inner["name"]);
    const named = nameFields[field];
    if (named !== undefined) add(found, named, inner);
    collect(inner, found);
  }
}

function add(found: Set<string>, resource: string, name: unknown): void {
  if (typeof name === "string" && name !== "") found.add(`${resource}/${name}`);
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
