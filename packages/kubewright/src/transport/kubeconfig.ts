import { OperatorError } from "@kubewright/core/errors";
import type { Connection } from "./connection.js";
import { type KubeconfigSource, parseKubeconfigDocument } from "./kubeconfig-document.js";
import { KubeconfigEntry } from "./kubeconfig-entry.js";
import { userCredentials, userImpersonation } from "./kubeconfig-user.js";
import { parseProxyUrl } from "./proxy-settings.js";

export type { KubeconfigSource } from "./kubeconfig-document.js";

/** A DNS label, which a namespace's name is. */
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The connection that a kubeconfig describes. Several sources are merged as kubectl does: the first that names a cluster, a user, a context
 * or the current context wins, with all of it. Credentials are left out for a server without TLS, where anybody could read them.
 *
 * Rejects with CONFIG_INVALID when it cannot be read, contradicts itself or names what is not there, and with NOT_SUPPORTED for a way of
 * authenticating that Kubernetes itself has dropped.
 */
export async function parseKubeconfig(sources: readonly KubeconfigSource[], contextName?: string): Promise<Connection> {
  const documents = await Promise.all(sources.map(parseKubeconfigDocument));
  const names = sources.map(({ file }) => `"${file}"`).join(", ");
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot use kubeconfig ${names}: ${why}`);

  const chosen =
    contextName ??
    documents
      .map(({ content, file }) => new KubeconfigEntry(content, { file, what: "it" }).text("current-context"))
      .find((name) => name !== undefined);
  if (chosen === undefined) throw fail(`it has no current context; set one with "kubectl config use-context"`);
  const context = KubeconfigEntry.find(documents, ["contexts", "context"], chosen);
  if (!context) throw fail(`it has no context "${chosen}"`);
  const clusterName = context.text("cluster") ?? "";
  const cluster = KubeconfigEntry.find(documents, ["clusters", "cluster"], clusterName);
  if (!cluster) throw fail(`context "${chosen}" names the cluster "${clusterName}", which it does not have`);
  const userName = context.text("user") ?? "";
  const user = KubeconfigEntry.find(documents, ["users", "user"], userName);
  if (userName !== "" && !user) throw fail(`context "${chosen}" names the user "${userName}", which it does not have`);
  const namespace = context.text("namespace") ?? "default";
  if (!label.test(namespace))
    throw context.invalid(`has the namespace "${namespace}", which is no name of a namespace`);

  const reached = await reachedBy(cluster);
  const impersonate = user && userImpersonation(user);
  const credentials = user && (await userCredentials(user, userName, cluster));
  return {
    ...reached,
    credentials: credentials && reached.server.startsWith("https:") ? credentials : { kind: "none" },
    ...(impersonate && { impersonate }),
    namespace,
  };
}

async function reachedBy(cluster: KubeconfigEntry): Promise<Omit<Connection, "credentials" | "namespace">> {
  const server = cluster.text("server");
  if (server === undefined || !/^https?:\/\//.test(server) || !URL.canParse(server))
    throw cluster.invalid("has no server address that begins with https:// or http://");
  const ca = await cluster.pem("certificate-authority");
  const insecure = cluster.flag("insecure-skip-tls-verify");
  if (ca && insecure) {
    throw cluster.invalid(
      `has both a certificate authority and "insecure-skip-tls-verify"; remove one: they contradict each other`,
    );
  }
  const tlsServerName = cluster.text("tls-server-name");
  const proxyUrl = cluster.text("proxy-url");
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
