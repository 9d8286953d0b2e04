/** Server and credentials of a kubeconfig. */
export interface KubeconfigOptions {
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

/** A kubeconfig with one cluster, one user with a client certificate, and one context. */
export function makeKubeconfig({ url, caCertificate, clientCertificate, clientKey }: KubeconfigOptions): string {
  const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");
  // No YAML library: no value needs quoting, and loading the library takes longer than starting a cluster.
  return `apiVersion: v1
kind: Config
clusters:
  - name: kubewright
    cluster:
      server: ${url}
      certificate-authority-data: ${base64(caCertificate)}
users:
  - name: admin
    user:
      client-certificate-data: ${base64(clientCertificate)}
      client-key-data: ${base64(clientKey)}
contexts:
  - name: kubewright
    context:
      cluster: kubewright
      user: admin
current-context: kubewright
`;
}
