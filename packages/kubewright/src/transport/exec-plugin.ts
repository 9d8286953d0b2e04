import { OperatorError } from "@kubewright/core/errors";
import type { JsonValue } from "@kubewright/core/json";

/** The supported versions of `client.authentication.k8s.io`. */
export const execApiVersions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] as const;

/** A credential plugin: the `exec` section of a kubeconfig user. */
export interface ExecPlugin {
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  /** A name to look up in PATH, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Shown when the command is not found. */
  readonly installHint?: string;
  /** Whether the plugin uses standard input: never, if it is a terminal, or always (fails without a terminal). */
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /** Whether to pass the cluster to the plugin in KUBERNETES_EXEC_INFO. */
  readonly provideClusterInfo: boolean;
  /** The cluster's extension `client.authentication.k8s.io/exec`. */
  readonly clusterConfig?: JsonValue;
}

/** The `spec.cluster` of an ExecCredential, with its JSON field names. */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  /** Base64. */
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
  readonly config: JsonValue;
}

/** What a plugin returned: a token, a certificate with its key, or both. */
export interface ExecCredential {
  readonly token?: string;
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
  /** Milliseconds since the epoch; undefined: valid until the server rejects it. */
  readonly expiresMs?: number;
}

/** Replaces control characters, because output of another process could hold terminal escape sequences. */
export function withoutEscapes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  return text.replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\p{Cf}]/gu, (character) => {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  });
}

/** Creates a CONFIG_INVALID error about a plugin. */
export function execError(command: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot get credentials from the exec plugin "${command}": ${why}`,
    cause === undefined ? undefined : { cause },
  );
}
