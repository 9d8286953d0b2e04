import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { isOperatorError, OperatorError } from "@kubewright/core/errors";
import type { Connection } from "./connection.js";
import type { Impersonation } from "./impersonation.js";
import { parseKubeconfig } from "./kubeconfig.js";
import { environmentProxyOf } from "./proxy-settings.js";

/** Options of {@link loadConnection}. */
export interface LoadConnectionOptions {
  /** A kubeconfig file; takes precedence over every other source. */
  readonly kubeconfig?: string;
  /** A context of the kubeconfig. @default its current context */
  readonly context?: string;
  /** The user to impersonate; overrides the kubeconfig's. */
  readonly impersonate?: Impersonation;
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The directory of the pod's service account token. @default "/var/run/secrets/kubernetes.io/serviceaccount" */
  readonly serviceAccountDir?: string;
}

/**
 * Finds the API server, in this order: the given kubeconfig, `KUBECONFIG` (several files are merged), the pod's service account,
 * `~/.kube/config`. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply to a cluster without `proxy-url`.
 *
 * Rejects with CONFIG_INVALID if no source exists, or if the first that exists is invalid.
 */
export async function loadConnection(options: LoadConnectionOptions = {}): Promise<Connection> {
  const { environment = process.env, impersonate } = options;
  const connection = await findConnection(options, environment);
  const environmentProxy = environmentProxyOf(environment);
  return { ...connection, ...(environmentProxy && { environmentProxy }), ...(impersonate && { impersonate }) };
}

async function findConnection(
  options: LoadConnectionOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Connection> {
  const { context } = options;
  if (options.kubeconfig !== undefined) return fromFiles([options.kubeconfig], context);
  const listed = environment["KUBECONFIG"]?.split(delimiter).filter((file) => file !== "") ?? [];
  if (listed.length > 0) return fromFiles(listed, context);
  if (environment["KUBERNETES_SERVICE_HOST"])
    return inCluster(environment, options.serviceAccountDir ?? "/var/run/secrets/kubernetes.io/serviceaccount");
  try {
    return await fromFiles([join(environment["HOME"] ?? homedir(), ".kube", "config")], context);
  } catch (cause) {
    if (!isOperatorError(cause) || cause.code !== "CONFIG_INVALID" || !isMissingFile(cause.cause)) throw cause;
    throw new OperatorError(
      "CONFIG_INVALID",
      "Cannot find an API server: no kubeconfig was given, KUBECONFIG is not set, this is not a pod, and there is no ~/.kube/config; set KUBECONFIG, such as to the .kubewright/kubeconfig that kubewright dev writes",
      { cause },
    );
  }
}

async function fromFiles(files: readonly string[], context: string | undefined): Promise<Connection> {
  const read = await Promise.all(
    files.map(async (file) => {
      try {
        return { file, text: await readFile(file, "utf8") };
      } catch (cause) {
        // As in kubectl, files of a list may be missing; a single file must exist.
        if (files.length > 1 && isMissingFile(cause)) return undefined;
        throw new OperatorError("CONFIG_INVALID", `Cannot read kubeconfig "${file}": ${(cause as Error).message}`, {
          cause,
        });
      }
    }),
  );
  const sources = read.filter((source) => source !== undefined);
  if (sources.length === 0)
    throw new OperatorError("CONFIG_INVALID", `Cannot read kubeconfig: none of "${files.join('", "')}" exists`);
  return parseKubeconfig(sources, context);
}

async function inCluster(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<Connection> {
  const host = environment["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = environment["KUBERNETES_SERVICE_PORT"] ?? "443";
  try {
    const caCertificateFile = join(folder, "ca.crt");
    const caCertificate = await readFile(caCertificateFile, "utf8");
    const namespace = await readFile(join(folder, "namespace"), "utf8");
    return {
      server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
      caCertificate,
      caCertificateFile,
      credentials: { kind: "tokenFile", path: join(folder, "token") },
      namespace: namespace.trim(),
    };
  } catch (cause) {
    throw new OperatorError("CONFIG_INVALID", `Cannot use the pod's service account: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function isMissingFile(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT";
}
