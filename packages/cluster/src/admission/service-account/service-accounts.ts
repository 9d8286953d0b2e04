import type { JsonObject } from "@kubewright/core/json";
import { generateName } from "@kubewright/core/meta";
import {
  type AdmissionRequest,
  ApiFailure,
  andThen,
  childDraft,
  type Draft,
  type Eventually,
  listAt,
  metadataOf,
  objectAt,
  textAt,
} from "../../registry/index.js";
import type { Store } from "../../storage/index.js";
import type { AdmissionPlugin } from "../plugin.js";
import { rejected } from "../rejection.js";
import { accountsBucket, type DefaultAccounts } from "./default-account-wait.js";
import { environmentProblem, limitsSecrets, secretProblem } from "./mountable-secrets.js";
import { containersOf, referredSecrets } from "./referred-secrets.js";
import { addPullSecrets, mountsToken, mountToken } from "./token-volume.js";

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Dependencies of the plugin. */
export interface ServiceAccountOptions {
  random(): number;
  /** Waits for a default ServiceAccount that is missing. @default a pod without it is rejected at once */
  readonly defaultAccounts?: DefaultAccounts;
}

/**
 * ServiceAccount: a new pod runs as the ServiceAccount `default` unless it names another one, which must exist; it gets the account's token as a volume,
 * and its imagePullSecrets.
 */
export function serviceAccounts({ random, defaultAccounts }: ServiceAccountOptions): AdmissionPlugin {
  // One suffix for all pods, so that replicas keep equal specs and share their memory.
  const suffix = generateName("", random);
  return {
    name: "ServiceAccount",
    resources: ["pods"],
    // Waits only for creates, which are never retried: mayWait concerns changes.
    mutate(request, { store }) {
      const { operation, subresource, namespace, object } = request;
      if (operation !== "CREATE" || subresource !== "") return;
      if (isMirror(object)) return checkMirror(request);
      const spec = childDraft(object, "spec");
      const name = textAt(spec, "serviceAccountName") || "default";
      spec["serviceAccountName"] = name;
      spec["serviceAccount"] = name;
      return andThen(findOrAwait(store, namespace, name, defaultAccounts), () => {
        const account = accountOf(request, store) as Draft;
        if (mountsToken(spec, account)) mountToken(spec, suffix);
        addPullSecrets(object, account);
        checkSecrets(request, account);
      });
    },
    validate(request, { store }) {
      const { operation, subresource } = request;
      if (operation === "UPDATE" && subresource === "ephemeralcontainers") return checkEphemeral(request, store);
      if (operation !== "CREATE" || subresource !== "") return;
      if (isMirror(request.object)) return checkMirror(request);
      checkSecrets(request, accountOf(request, store));
    },
  };
}

/** Continues once the ServiceAccount exists, or will not exist. */
function findOrAwait(
  store: Store,
  namespace: string,
  name: string,
  accounts: DefaultAccounts | undefined,
): Eventually<void> {
  if (name !== "default" || accounts === undefined) return;
  if (store.bucket(accountsBucket).get(`${namespace}/${name}`) === undefined) return accounts.arrival(namespace);
}

function isMirror(object: JsonObject): boolean {
  return Object.hasOwn(objectAt(metadataOf(object), "annotations"), mirrorAnnotation);
}

/** The ServiceAccount of a pod. Throws the rejection if it names none, or one that does not exist. */
function accountOf(request: AdmissionRequest, store: Store): JsonObject {
  const { namespace, object } = request;
  const name = textAt(objectAt(object, "spec"), "serviceAccountName");
  if (name === "")
    throw rejected(request, `no service account specified for pod ${namespace}/${textAt(metadataOf(object), "name")}`);
  const record = store.bucket(accountsBucket).get(`${namespace}/${name}`);
  if (record === undefined)
    throw rejected(
      request,
      `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`,
    );
  return record.object;
}

function checkSecrets(request: AdmissionRequest, account: JsonObject): void {
  if (!limitsSecrets(account)) return;
  const problem = secretProblem(objectAt(request.object, "spec"), account);
  if (problem !== undefined) throw rejected(request, problem);
}

/** Mirror pods show static pods: they can refer to no API objects. */
function checkMirror(request: AdmissionRequest): void {
  const spec = objectAt(request.object, "spec");
  if (textAt(spec, "serviceAccountName") !== "")
    throw rejected(request, "a mirror pod may not reference service accounts");
  if (referredSecrets(spec).length > 0) throw rejected(request, "a mirror pod may not reference secrets");
  for (const volume of listAt(spec, "volumes") as readonly JsonObject[])
    for (const source of listAt(objectAt(volume, "projected"), "sources") as readonly JsonObject[])
      if (source["serviceAccountToken"] !== undefined)
        throw rejected(request, "a mirror pod may not use ServiceAccountToken volume projections");
}

function checkEphemeral(request: AdmissionRequest, store: Store): void {
  const account = accountOf(request, store);
  if (!limitsSecrets(account)) return;
  const containers = containersOf(objectAt(request.object, "spec"), "ephemeralContainers");
  const problem = environmentProblem(containers, "ephemeral container", account);
  // kube-apiserver returns this error without a status.
  if (problem !== undefined) throw new ApiFailure(500, "", problem);
}
