import type { JsonObject } from "@kubewright/core/json";
import { listAt, metadataOf, objectAt, textAt } from "../../registry/index.js";
import { containersOf, environmentSecrets } from "./referred-secrets.js";

const enforced = "kubernetes.io/enforce-mountable-secrets";
/** What Go's strconv.ParseBool reads as true. */
const trueValues = ["1", "t", "T", "true", "TRUE", "True"];

/** Whether pods of the ServiceAccount may only refer to Secrets that it lists (deprecated annotation). */
export function limitsSecrets(account: JsonObject): boolean {
  return trueValues.includes(textAt(objectAt(metadataOf(account), "annotations"), enforced));
}

/** Why a pod may not refer to its Secrets; undefined if it may. */
export function secretProblem(spec: JsonObject, account: JsonObject): string | undefined {
  const name = textAt(metadataOf(account), "name");
  const mountable = namesIn(account, "secrets");
  for (const volume of listAt(spec, "volumes") as readonly JsonObject[]) {
    const secret = textAt(objectAt(volume, "secret"), "secretName");
    if (volume["secret"] !== undefined && !mountable.includes(secret))
      return `volume with secret.secretName="${secret}" is not allowed because service account ${name} does not reference that secret`;
  }
  const problem =
    environmentProblem(containersOf(spec, "initContainers"), "init container", account) ??
    environmentProblem(containersOf(spec, "containers"), "container", account);
  if (problem !== undefined) return problem;
  const pullable = namesIn(account, "imagePullSecrets");
  const wrong = namesIn(spec, "imagePullSecrets").findIndex((secret) => !pullable.includes(secret));
  if (wrong < 0) return undefined;
  return `imagePullSecrets[${wrong}].name="${namesIn(spec, "imagePullSecrets")[wrong]}" is not allowed because service account ${name} does not reference that imagePullSecret`;
}

/** Why containers may not refer to a Secret; undefined if they may. `what` is how the message calls them. */
export function environmentProblem(
  containers: readonly JsonObject[],
  what: string,
  account: JsonObject,
): string | undefined {
  const mountable = namesIn(account, "secrets");
  for (const container of containers)
    for (const { name, variable } of environmentSecrets(container)) {
      if (mountable.includes(name)) continue;
      const where = variable === undefined ? "envFrom" : `envVar ${variable}`;
      return `${what} ${textAt(container, "name")} with ${where} referencing secret.secretName="${name}" is not allowed because service account ${textAt(metadataOf(account), "name")} does not reference that secret`;
    }
  return undefined;
}

function namesIn(object: JsonObject, list: string): readonly string[] {
  return (listAt(object, list) as readonly JsonObject[]).map((one) => textAt(one, "name"));
}
