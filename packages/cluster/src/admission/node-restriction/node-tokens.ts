import { goQuote, type JsonObject } from "@kubewright/core/json";
import { listAt, metadataOf, objectAt, textAt, textsAt } from "../../registry/index.js";
import type { Store } from "../../storage/index.js";
import { rejected } from "../rejection.js";
import { type NodeRequest, storedPod } from "./node-request.js";

/** A node requests tokens for pods that are bound to it, with audiences that their volumes name. */
export function checkNodeToken(of: NodeRequest): void {
  const { request, node } = of;
  if (request.operation !== "CREATE" || request.subresource !== "token") return;
  const spec = objectAt(request.object, "spec");
  const bound = objectAt(spec, "boundObjectRef");
  const [name, uid] = [textAt(bound, "name"), textAt(bound, "uid")];
  if (bound["apiVersion"] !== "v1" || bound["kind"] !== "Pod" || name === "")
    throw rejected(request, "node requested token not bound to a pod");
  if (uid === "") throw rejected(request, "node requested token with a pod binding without a uid");
  const pod = storedPod(of, name);
  if (uid !== textAt(metadataOf(pod), "uid"))
    throw rejected(
      request,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  if (textAt(objectAt(pod, "spec"), "nodeName") !== node)
    throw rejected(request, "node requested token bound to a pod scheduled on a different node");
  checkAudience(of, textsAt(spec, "audiences"), pod);
}

function checkAudience(
  { request, store, authorizer }: NodeRequest,
  audiences: readonly string[],
  pod: JsonObject,
): void {
  if (audiences.length > 1) throw rejected(request, "node may only request 0 or 1 audiences");
  const [audience = ""] = audiences;
  const volumes = listAt(objectAt(pod, "spec"), "volumes") as readonly JsonObject[];
  if (volumes.some((volume) => namesAudience(volume, audience, pod, store))) return;
  const { user, namespace, name } = request;
  const { allowed } = authorizer.authorize(user, {
    kind: "resource",
    verb: "request-serviceaccounts-token-audience",
    group: "",
    resource: audience,
    subresource: "",
    namespace,
    name,
  });
  if (!allowed)
    throw rejected(
      request,
      `audience ${goQuote(audience)} not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`,
    );
}

/** Whether a volume projects a token of the audience, or its CSI driver requests one. In-tree volumes are not translated to CSI. */
function namesAudience(volume: JsonObject, audience: string, pod: JsonObject, store: Store): boolean {
  const sources = listAt(objectAt(volume, "projected"), "sources") as readonly JsonObject[];
  const isProjected = sources.some((source) => {
    const token = source["serviceAccountToken"];
    return token !== undefined && textAt(token as JsonObject, "audience") === audience;
  });
  if (isProjected) return true;
  const driver = store.bucket("csidrivers.storage.k8s.io").get(driverOf(volume, pod, store))?.object;
  const requests = listAt(objectAt(driver ?? {}, "spec"), "tokenRequests") as readonly JsonObject[];
  return requests.some((one) => textAt(one, "audience") === audience);
}

function driverOf(volume: JsonObject, pod: JsonObject, store: Store): string {
  const direct = textAt(objectAt(volume, "csi"), "driver");
  if (direct !== "") return direct;
  const metadata = metadataOf(pod);
  const claimName =
    volume["ephemeral"] === undefined
      ? textAt(objectAt(volume, "persistentVolumeClaim"), "claimName")
      : `${textAt(metadata, "name")}-${textAt(volume, "name")}`;
  const claim = store.bucket("persistentvolumeclaims").get(`${textAt(metadata, "namespace")}/${claimName}`)?.object;
  const volumeName = textAt(objectAt(claim ?? {}, "spec"), "volumeName");
  const persistent = store.bucket("persistentvolumes").get(volumeName)?.object;
  return textAt(objectAt(objectAt(persistent ?? {}, "spec"), "csi"), "driver");
}
