/** A user of a control plane with its credentials: a token, or a client certificate and its private key (PEM). */
export type ControlPlaneUser = { readonly name: string; readonly groups: readonly string[] } & (
  | { readonly token: string }
  | { readonly certificate: string; readonly privateKey: string }
);

/** A user that authenticates with a bearer token. */
export type TokenUser = Extract<ControlPlaneUser, { readonly token: string }>;

/** A kubeconfig for one server and one user, in JSON, which is valid YAML. */
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
            "certificate-authority-data": base64(server.caCertificate),
          },
        },
      ],
      users: [{ name: user.name, user: credentialsOf(user) }],
      contexts: [{ name: "kubewright", context: { cluster: "kubewright", user: user.name, namespace: "default" } }],
      "current-context": "kubewright",
    },
    undefined,
    2,
  );
}

function credentialsOf(user: ControlPlaneUser): Readonly<Record<string, string>> {
  if ("token" in user) return { token: user.token };
  return { "client-certificate-data": base64(user.certificate), "client-key-data": base64(user.privateKey) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
