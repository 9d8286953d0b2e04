import { OperatorError } from "@kubewright/core/errors";
import type { JsonValue } from "@kubewright/core/json";

/** The versions of `client.authentication.k8s.io` that plugins may speak. */
export const execApiVersions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] as const;

/** A program that gives credentials: what `exec` of a kubeconfig's user describes. */
export interface ExecPlugin {
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  /** A name that is looked up in PATH, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Shown when the command is not there. */
  readonly installHint?: string;
  /** Whether the plugin gets the terminal: never, if there is one, or it must have one. */
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /** Tells the plugin which cluster it is for. */
  readonly provideClusterInfo: boolean;
  /** What the cluster's extension `client.authentication.k8s.io/exec` holds, for the plugin. */
  readonly clusterConfig?: JsonValue;
}

/** What a plugin is told about the cluster. Fields as they travel. */
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

/** What a plugin answered. A token, or a certificate with its key, or both. */
export interface ExecCredential {
  readonly token?: string;
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
  /** Milliseconds since the epoch; undefined: until the server refuses it. */
  readonly expiresMs?: number;
}

/** Texts of other programs may hold escapes that would drive the terminal they are shown in. */
export function withoutEscapes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\p{Cf}]/gu, (character) => {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  });
}

/** A CONFIG_INVALID error about a plugin. */
export function execError(command: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot get credentials from the exec plugin "${command}": ${why}`,
    cause === undefined ? undefined : { cause },
  );
}
