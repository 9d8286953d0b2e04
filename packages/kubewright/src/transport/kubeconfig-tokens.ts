import { open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { type Clock, sleep } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Document } from "yaml";
import type { OidcTokens } from "./refresh-oidc.js";

/** A user entry of a kubeconfig file. */
export interface KubeconfigUser {
  readonly file: string;
  readonly user: string;
}

const lockAttempts = 20;
const lockPauseMs = 100;

/** Reads the current tokens from the file; undefined if it cannot be read. */
export async function readKubeconfigTokens(
  origin: KubeconfigUser,
): Promise<{ readonly idToken?: string; readonly refreshToken?: string } | undefined> {
  try {
    const { document, path } = await openDocument(await readFile(origin.file, "utf8"), origin);
    const idToken = document.getIn([...path, "id-token"]);
    const refreshToken = document.getIn([...path, "refresh-token"]);
    return {
      ...(typeof idToken === "string" && { idToken }),
      ...(typeof refreshToken === "string" && refreshToken !== "" && { refreshToken }),
    };
  } catch {
    return undefined;
  }
}

/**
 * Writes new tokens to a kubeconfig user, as kubectl does.
 *
 * Preserves the rest of the file, including comments. Replaces the file atomically with the same permissions, under kubectl's lock file.
 */
export async function writeKubeconfigTokens(origin: KubeconfigUser, tokens: OidcTokens, clock: Clock): Promise<void> {
  // Replaces the target of a symbolic link, not the link.
  const file = await realpath(origin.file);
  const lock = `${origin.file}.lock`;
  const { randomUUID } = await import("node:crypto");
  await takeLock(lock, origin, clock);
  const fresh = `${file}.${randomUUID()}`;
  try {
    const { document, path } = await openDocument(await readFile(file, "utf8"), origin);
    document.setIn([...path, "id-token"], tokens.idToken);
    if (tokens.refreshToken !== undefined) document.setIn([...path, "refresh-token"], tokens.refreshToken);
    const { mode } = await stat(file);
    await writeFile(fresh, document.toString({ lineWidth: 0 }), { mode: mode & 0o777, flush: true });
    await rename(fresh, file);
  } finally {
    await rm(fresh, { force: true });
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string, { file }: KubeconfigUser, clock: Clock): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await (await open(lock, "wx", 0o600)).close();
      return;
    } catch (cause) {
      const taken = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
      if (!taken || attempt === lockAttempts) {
        throw new OperatorError(
          "CONFIG_INVALID",
          `Cannot write tokens to kubeconfig "${file}": ${taken ? `"${lock}" exists; remove it if no other process uses the file` : cause}`,
          { cause },
        );
      }
      await sleep(clock, lockPauseMs);
    }
  }
}

async function openDocument(
  text: string,
  { file, user }: KubeconfigUser,
): Promise<{ readonly document: Document; readonly path: readonly (string | number)[] }> {
  const { isMap, isSeq, parseDocument } = await import("./yaml.js");
  const document = parseDocument(text, { logLevel: "error" });
  const users = document.get("users");
  const index = isSeq(users) ? users.items.findIndex((entry) => isMap(entry) && entry.get("name") === user) : -1;
  const path = ["users", index, "user", "auth-provider", "config"];
  if (document.errors.length > 0 || index < 0 || !isMap(document.getIn(path))) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot write tokens to kubeconfig "${file}": it no longer has a user "${user}" with an auth-provider`,
    );
  }
  return { document, path };
}
