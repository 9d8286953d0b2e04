import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Connection, Credentials } from "./connection.js";

/** One kubeconfig document and the folder that its relative paths start from. */
export interface KubeconfigSource {
  readonly text: string;
  /** For messages, and the base of relative paths. */
  readonly file: string;
}

/** Settings that would change how a server is reached, and that are refused because they are not implemented. */
const unsupportedUserFields = ["exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra"];

/**
 * The connection that a kubeconfig describes. Several sources are merged as kubectl does: the first that names a thing wins.
 *
 * Rejects with CONFIG_INVALID when it cannot be read or names what is not there, and with NOT_SUPPORTED for a way of authenticating
 * that Kubewright does not have yet.
 */
export async function parseKubeconfig(sources: readonly KubeconfigSource[], contextName?: string): Promise<Connection> {
  const documents = await Promise.all(sources.map(parseDocument));
  const names = sources.map(({ file }) => `"${file}"`).join(", ");
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot use kubeconfig ${names}: ${why}`);

  const chosen =
    contextName ??
    documents.map(({ content }) => content["current-context"]).find((name) => typeof name === "string" && name !== "");
  if (typeof chosen !== "string") throw fail(`it has no current context; set one with "kubectl config use-context"`);
  const context = findNamed(documents, "contexts", "context", chosen);
  if (!context) throw fail(`it has no context "${chosen}"`);
  const clusterName = text(context.value, "cluster") ?? "";
  const cluster = findNamed(documents, "clusters", "cluster", clusterName);
  if (!cluster) throw fail(`context "${chosen}" names the cluster "${clusterName}", which it does not have`);
  const userName = text(context.value, "user") ?? "";
  const user = findNamed(documents, "users", "user", userName);
  if (userName !== "" && !user) throw fail(`context "${chosen}" names the user "${userName}", which it does not have`);

  const server = text(cluster.value, "server");
  if (server === undefined || !/^https?:\/\//.test(server))
    throw fail(`cluster "${clusterName}" has no server address`);
  if (cluster.value["proxy-url"] !== undefined) throw notSupported(`"proxy-url" of cluster "${clusterName}"`, names);
  const caCertificate = await inlineOrFile(cluster, "certificate-authority");
  const tlsServerName = text(cluster.value, "tls-server-name");
  return {
    server: server.replace(/\/+$/, ""),
    ...(caCertificate !== undefined && { caCertificate }),
    ...(cluster.value["insecure-skip-tls-verify"] === true && { insecureSkipTlsVerify: true }),
    ...(tlsServerName !== undefined && { tlsServerName }),
    credentials: user ? await credentialsOf(user, userName, names) : { kind: "none" },
    namespace: text(context.value, "namespace") ?? "default",
  };
}

interface Document {
  readonly content: JsonObject;
  readonly file: string;
}

interface Named {
  readonly value: JsonObject;
  readonly file: string;
}

async function parseDocument({ text: source, file }: KubeconfigSource): Promise<Document> {
  const { parse } = await import("yaml");
  let content: unknown;
  try {
    content = parse(source, { maxAliasCount: 100 });
  } catch (cause) {
    throw new OperatorError("CONFIG_INVALID", `Cannot read kubeconfig "${file}": it is not YAML: ${messageOf(cause)}`, {
      cause,
    });
  }
  if (!isJsonObject(content))
    throw new OperatorError("CONFIG_INVALID", `Cannot read kubeconfig "${file}": it is not an object`);
  return { content, file };
}

function findNamed(documents: readonly Document[], list: string, field: string, name: string): Named | undefined {
  for (const { content, file } of documents) {
    const entries = content[list];
    for (const entry of Array.isArray(entries) ? entries : []) {
      if (isJsonObject(entry) && entry["name"] === name && isJsonObject(entry[field]))
        return { value: entry[field], file };
    }
  }
  return undefined;
}

async function credentialsOf(user: Named, name: string, names: string): Promise<Credentials> {
  const unsupported = unsupportedUserFields.find(
    (field) => user.value[field] !== undefined && user.value[field] !== null,
  );
  if (unsupported !== undefined) throw notSupported(`"${unsupported}" of user "${name}"`, names);
  const tokenFile = text(user.value, "tokenFile");
  if (tokenFile !== undefined) return { kind: "tokenFile", path: resolve(dirname(user.file), tokenFile) };
  const token = text(user.value, "token");
  if (token !== undefined) return { kind: "token", token };
  const certificate = await inlineOrFile(user, "client-certificate");
  const key = await inlineOrFile(user, "client-key");
  if (certificate !== undefined && key !== undefined) return { kind: "certificate", certificate, key };
  if (certificate !== undefined || key !== undefined) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot use kubeconfig ${names}: user "${name}" has only one of client certificate and key`,
    );
  }
  const username = text(user.value, "username");
  if (username !== undefined) return { kind: "basic", username, password: text(user.value, "password") ?? "" };
  return { kind: "none" };
}

/** `<field>-data` holds base64, `<field>` a path; the data wins. */
async function inlineOrFile({ value, file }: Named, field: string): Promise<string | undefined> {
  const data = text(value, `${field}-data`);
  if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
  const path = text(value, field);
  if (path === undefined) return undefined;
  try {
    return await readFile(resolve(dirname(file), path), "utf8");
  } catch (cause) {
    throw new OperatorError("CONFIG_INVALID", `Cannot read "${field}" of kubeconfig "${file}": ${messageOf(cause)}`, {
      cause,
    });
  }
}

function notSupported(what: string, names: string): OperatorError {
  return new OperatorError(
    "NOT_SUPPORTED",
    `Cannot use kubeconfig ${names}: ${what} is not supported yet; use a client certificate or a token`,
  );
}

function text(object: JsonObject, field: string): string | undefined {
  const value = object[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
