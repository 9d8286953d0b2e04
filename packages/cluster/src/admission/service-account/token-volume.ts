import { childDraft, type Draft, draftsIn, textAt } from "../../registry/index.js";

const volumePrefix = "kube-api-access-";
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Mounts the token, CA certificate and namespace of a ServiceAccount into every container that mounts nothing at that path. */
export function mountToken(spec: Draft, suffix: string): void {
  const volumes = draftsIn(spec["volumes"]);
  const existing = volumes.map((volume) => textAt(volume, "name")).find((name) => name.startsWith(volumePrefix));
  const name = existing ?? volumePrefix + suffix;
  let isNeeded = false;
  for (const container of [...draftsIn(spec["initContainers"]), ...draftsIn(spec["containers"])]) {
    const mounts = draftsIn(container["volumeMounts"]);
    if (mounts.some((mount) => mount["mountPath"] === mountPath)) continue;
    container["volumeMounts"] = [...mounts, { name, readOnly: true, mountPath }];
    isNeeded = true;
  }
  if (isNeeded && existing === undefined) spec["volumes"] = [...volumes, { name, projected: tokenSource() }];
}

function tokenSource(): Draft {
  return {
    sources: [
      // kubelet refreshes a token of this lifetime hourly; kube-apiserver extends it for clients that do not reload it.
      { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
        },
      },
    ],
    defaultMode: 0o644,
  };
}

/** Whether a pod gets a token: the pod decides, then its ServiceAccount; by default it does. */
export function mountsToken(spec: Draft, account: Draft): boolean {
  const chosen = spec["automountServiceAccountToken"] ?? account["automountServiceAccountToken"];
  return chosen !== false;
}

/** Gives a pod without imagePullSecrets those of its ServiceAccount. */
export function addPullSecrets(pod: Draft, account: Draft): void {
  const spec = childDraft(pod, "spec");
  const secrets = draftsIn(account["imagePullSecrets"]).map((one) => ({ name: textAt(one, "name") }));
  if (draftsIn(spec["imagePullSecrets"]).length === 0 && secrets.length > 0) spec["imagePullSecrets"] = secrets;
}
