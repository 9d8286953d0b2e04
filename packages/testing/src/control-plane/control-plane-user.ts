/** A user of a control plane, with the token that proves it. */
export interface ControlPlaneUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly token: string;
}

/** A kubeconfig for one server and one user. JSON, which every YAML reader takes. */
export function kubeconfigText(
  server: { readonly url: string; readonly caCertificate: string },
  user: ControlPlaneUser,
): string {
  return JSON.stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: "kubewright",
          cluster: {
            server: server.url,
            "certificate-authority-data": Buffer.from(server.caCertificate).toString("base64"),
          },
        },
      ],
      users: [{ name: user.name, user: { token: user.token } }],
      contexts: [{ name: "kubewright", context: { cluster: "kubewright", user: user.name, namespace: "default" } }],
      "current-context": "kubewright",
    },
    undefined,
    2,
  );
}
