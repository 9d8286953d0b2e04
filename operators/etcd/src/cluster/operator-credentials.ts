import { Secret } from "kubewright/k8s/core/v1";
import type { EtcdCredentials } from "../members/etcd-members.js";
import type { ClusterContext } from "./context.js";

/** Keys and certificates with which the operator connects: read in each run, so that a rotated Secret is used at once. */
export type CredentialsResult =
  | { readonly kind: "none" }
  | { readonly kind: "given"; readonly credentials: EtcdCredentials }
  | { readonly kind: "missing"; readonly message: string };

const keys = { ca: "etcd-client-ca.crt", cert: "etcd-client.crt", key: "etcd-client.key" } as const;

export async function operatorCredentials({
  object,
  find,
}: Pick<ClusterContext, "object" | "find">): Promise<CredentialsResult> {
  const { operatorSecret, member } = object.spec.TLS?.static ?? {};
  // Members do not start without their Secrets: kubelet waits for them. This one the operator needs itself.
  for (const name of [member?.peerSecret, member?.serverSecret])
    if (name !== undefined && (await find(Secret, name)) === undefined)
      return { kind: "missing", message: `Secret "${name}" does not exist` };
  if (operatorSecret === undefined) return { kind: "none" };
  const secret = await find(Secret, operatorSecret);
  if (secret === undefined) return { kind: "missing", message: `Secret "${operatorSecret}" does not exist` };
  const [ca, cert, key] = [keys.ca, keys.cert, keys.key].map((name) => secret.data?.[name]);
  if (ca === undefined || cert === undefined || key === undefined) {
    const message = `Secret "${operatorSecret}" must have the keys ${Object.values(keys).join(", ")}`;
    return { kind: "missing", message };
  }
  const decoded = (value: string): string => Buffer.from(value, "base64").toString();
  return { kind: "given", credentials: { ca: decoded(ca), cert: decoded(cert), key: decoded(key) } };
}
