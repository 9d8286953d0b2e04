import { OperatorError } from "@kubewright/core/errors";
import type { Connection } from "./connection.js";
import { type KubeconfigSource, parseKubeconfigDocument } from "./kubeconfig-document.js";
import { KubeconfigEntry } from "./kubeconfig-entry.js";
import { userCredentials, userImpersonation } from "./kubeconfig-user.js";
import { parseProxyUrl } from "./proxy-settings.js";

export type { KubeconfigSource } from "./kubeconfig-document.js";

/** A DNS-1123 label, as a namespace name must be. */
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Builds a connection from kubeconfig files. Several files are merged as in kubectl: for each cluster, user, context and the current context the
 * first file that has it wins. Credentials are omitted for a server without TLS.
 *
 * Rejects with CONFIG_INVALID if a file cannot be parsed, contradicts itself or references a missing entry, and with NOT_SUPPORTED for an
 * auth-provider that Kubernetes removed.
 */
export async function parseKubeconfig(sources: readonly KubeconfigSource[], contextName?: string): Promise<Connection> {
  const documents = await Promise.all(sources.map(parseKubeconfigDocument));
  const names = sources.map(({ file }) => `"${file}"`).join(", ");
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot use kubeconfig ${names}: ${why}`);

  const chosen =
    contextName ??
    documents
      .map(({ content, file }) => new KubeconfigEntry(content, { file, what: "it" }).string("current-context"))
      .find((name) => name !== undefined);
  if (chosen === undefined) throw fail(`it has no current context; set one with "kubectl config use-context"`);
  const context = KubeconfigEntry.find(documents, ["contexts", "context"], chosen);
  if (!context) throw fail(`it has no context "${chosen}"`);
  const clusterName = context.string("cluster") ?? "";
  const cluster = KubeconfigEntry.find(documents, ["clusters", "cluster"], clusterName);
  if (!cluster) throw fail(`context "${chosen}" names the cluster "${clusterName}", which does not exist`);
  const userName = context.string("user") ?? "";
  const user = KubeconfigEntry.find(documents, ["users", "user"], userName);
  if (userName !== "" && !user) throw fail(`context "${chosen}" names the user "${userName}", which does not exist`);
  const namespace = context.string("namespace") ?? "default";
  if (!label.test(namespace))
    throw context.invalid(`has the namespace "${namespace}", which is not a valid namespace name`);

  const clusterSettings = await clusterConnection(cluster);
  const impersonate = user && userImpersonation(user);
  const credentials = user && (await userCredentials(user, userName, cluster));
  return {
    ...clusterSettings,
    credentials: credentials && clusterSettings.server.startsWith("https:") ? credentials : { kind: "none" },
    ...(impersonate && { impersonate }),
    namespace,
  };
}

async function clusterConnection(cluster: KubeconfigEntry): Promise<Omit<Connection, "credentials" | "namespace">> {
  const server = cluster.string("server");
  if (server === undefined || !/^https?:\/\//.test(server) || !URL.canParse(server))
    throw cluster.invalid("has no server address that starts with https:// or http://");
  const ca = await cluster.pem("certificate-authority");
  const insecure = cluster.flag("insecure-skip-tls-verify");
  if (ca && insecure) {
    throw cluster.invalid(
      `has both a certificate authority and "insecure-skip-tls-verify"; remove one: they contradict each other`,
    );
  }
  const tlsServerName = cluster.string("tls-server-name");
  const proxyUrl = cluster.string("proxy-url");
  if (proxyUrl !== undefined) parseProxyUrl(proxyUrl);
  const { origin, pathname } = new URL(server);
  return {
    server: (origin + pathname).replace(/\/+$/, ""),
    ...(ca && { caCertificate: ca.text }),
    ...(ca?.file !== undefined && { caCertificateFile: ca.file }),
    ...(insecure && { insecureSkipTlsVerify: true }),
    ...(tlsServerName !== undefined && { tlsServerName }),
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(cluster.flag("disable-compression") && { disableCompression: true }),
  };
}
