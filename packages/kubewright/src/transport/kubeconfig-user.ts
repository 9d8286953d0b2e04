import { sep } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import type { ClientCertificate, Credentials } from "./connection.js";
import { type ExecPlugin, execApiVersions } from "./exec-plugin.js";
import type { Impersonation } from "./impersonation.js";
import type { KubeconfigEntry } from "./kubeconfig-entry.js";

/** Replacements of the auth-providers that client-go removed. */
const replacements: Readonly<Record<string, string>> = {
  gcp: `the exec plugin "gke-gcloud-auth-plugin" (gcloud components install gke-gcloud-auth-plugin, then gcloud container clusters get-credentials)`,
  azure: `the exec plugin "kubelogin" (kubelogin convert-kubeconfig)`,
  openstack: `the exec plugin "client-keystone-auth"`,
};

const interactiveModes = ["Never", "IfAvailable", "Always"] as const;

/**
 * Returns the credentials of a kubeconfig user, in client-go's order: a token or a password, then an auth-provider, then an exec plugin. A client
 * certificate combines with all but the plugin.
 */
export async function userCredentials(
  user: KubeconfigEntry,
  name: string,
  cluster: KubeconfigEntry,
): Promise<Credentials> {
  if (user.has("exec") && user.has("auth-provider"))
    throw user.invalid("has both an exec plugin and an auth-provider; remove one");
  const clientCertificate = await certificateOf(user);
  const beside = clientCertificate && { clientCertificate };
  const plugin = pluginOf(user, cluster);
  const token = user.string("token");
  const path = user.path("tokenFile");
  const username = user.string("username");
  const password = user.string("password");
  if ((token ?? path) !== undefined && (username ?? password) !== undefined)
    throw user.invalid("has both a token and a password; only one way to authenticate is allowed");
  if (path !== undefined) return { kind: "tokenFile", path, ...(token !== undefined && { token }), ...beside };
  if (token !== undefined) return { kind: "token", token, ...beside };
  if (username !== undefined || password !== undefined)
    return { kind: "basic", username: username ?? "", password: password ?? "", ...beside };
  const provider = user.part("auth-provider");
  if (provider) return { ...(await providerOf(provider, name)), ...beside };
  if (clientCertificate) return { kind: "certificate", ...clientCertificate };
  return plugin ? { kind: "exec", plugin } : { kind: "none" };
}

/** Returns the user that a kubeconfig user impersonates. */
export function userImpersonation(user: KubeconfigEntry): Impersonation | undefined {
  const as = user.string("as");
  const uid = user.string("as-uid");
  const groups = user.strings("as-groups");
  const extraPart = user.part("as-user-extra");
  const extra = Object.fromEntries((extraPart?.fields() ?? []).map((key) => [key, extraPart?.strings(key) ?? []]));
  const hasExtra = Object.keys(extra).length > 0;
  if (as === undefined) {
    if (uid !== undefined || groups.length > 0 || hasExtra)
      throw user.invalid(`has "as-uid", "as-groups" or "as-user-extra" without "as"; set "as"`);
    return undefined;
  }
  return {
    user: as,
    ...(uid !== undefined && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(hasExtra && { extra }),
  };
}

async function certificateOf(user: KubeconfigEntry): Promise<ClientCertificate | undefined> {
  const certificate = await user.pem("client-certificate");
  const key = await user.pem("client-key");
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) throw user.invalid("has only one of client certificate and key");
  return {
    certificate: certificate.text,
    key: key.text,
    // As in client-go, they are reloaded only if both are files.
    ...(certificate.file !== undefined &&
      key.file !== undefined && { certificateFile: certificate.file, keyFile: key.file }),
  };
}

function pluginOf(user: KubeconfigEntry, cluster: KubeconfigEntry): ExecPlugin | undefined {
  const exec = user.part("exec");
  if (exec === undefined) return undefined;
  const written = exec.string("command");
  if (written === undefined) throw exec.invalid("has no command");
  // A bare name is looked up in PATH; a name with a separator is a path.
  const command = written.includes(sep) || written.includes("/") ? (exec.path("command") ?? written) : written;
  const version = exec.string("apiVersion");
  const apiVersion = execApiVersions.find((known) => known === version);
  if (apiVersion === undefined) {
    throw exec.invalid(
      version === undefined
        ? `has no apiVersion; set "${execApiVersions[0]}"`
        : `has the apiVersion "${version}"; supported are "${execApiVersions.join('" or "')}"`,
    );
  }
  const mode = exec.string("interactiveMode") ?? (apiVersion.endsWith("/v1beta1") ? "IfAvailable" : undefined);
  const interactiveMode = interactiveModes.find((known) => known === mode);
  if (interactiveMode === undefined)
    throw exec.invalid(
      `must have an interactiveMode: "${interactiveModes.join('", "')}"${mode ? `, not "${mode}"` : ""}`,
    );
  const env = exec.parts("env").map((variable) => {
    const name = variable.string("name");
    if (name === undefined) throw variable.invalid("has no name");
    return { name, value: variable.string("value") ?? "" };
  });
  const installHint = exec.string("installHint");
  const clusterConfig = cluster
    .parts("extensions")
    .find((extension) => extension.string("name") === "client.authentication.k8s.io/exec")
    ?.value("extension");
  return {
    apiVersion,
    command,
    args: exec.strings("args"),
    env,
    ...(installHint !== undefined && { installHint }),
    interactiveMode,
    provideClusterInfo: exec.flag("provideClusterInfo"),
    ...(clusterConfig !== undefined && { clusterConfig }),
  };
}

async function providerOf(provider: KubeconfigEntry, user: string): Promise<Credentials> {
  const name = provider.string("name") ?? "";
  if (name !== "oidc") {
    const instead = Object.hasOwn(replacements, name) ? replacements[name] : "an exec plugin";
    throw new OperatorError(
      "NOT_SUPPORTED",
      `Cannot use kubeconfig "${provider.file}": the auth-provider "${name}" of user "${user}" is not supported; use ${instead}`,
    );
  }
  const config = provider.part("config");
  const issuerUrl = config?.string("idp-issuer-url");
  const clientId = config?.string("client-id");
  if (issuerUrl === undefined || !URL.canParse(issuerUrl)) throw provider.invalid(`has no "idp-issuer-url"`);
  if (clientId === undefined) throw provider.invalid(`has no "client-id"`);
  const clientSecret = config?.string("client-secret");
  const idToken = config?.string("id-token");
  const refreshToken = config?.string("refresh-token");
  const ca = await config?.pem("idp-certificate-authority");
  return {
    kind: "oidc",
    provider: {
      issuerUrl,
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(idToken !== undefined && { idToken }),
      ...(refreshToken !== undefined && { refreshToken }),
      ...(ca && { caCertificate: ca.text }),
      origin: { file: provider.file, user },
    },
  };
}
