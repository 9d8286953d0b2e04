/** What a kubeconfig file says. */
export interface KubeconfigOptions {
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

/** The text of a kubeconfig file with one cluster, one administrator by certificate, one context. */
export function makeKubeconfig({ url, caCertificate, clientCertificate, clientKey }: KubeconfigOptions): string {
  const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");
  // Written out, because every value is plain text and the YAML package takes longer to load than a cluster to start.
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
