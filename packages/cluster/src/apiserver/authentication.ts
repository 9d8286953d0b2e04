import { createHash, timingSafeEqual } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { ApiFailure } from "../registry/index.js";

/**
 * Whether a request comes from an administrator: by a client certificate of the group `system:masters`, or by bearer token. As on a real
 * server one of them is enough, whatever the other says.
 */
export function isAdministrator(authorization: string | undefined, socket: TLSSocket, adminToken: string): boolean {
  if (isByCertificate(socket)) return true;
  if (authorization === undefined) return false;
  const token = /^bearer\s+(.+)$/i.exec(authorization)?.[1]?.trim() ?? "";
  return timingSafeEqual(digest(token), digest(adminToken));
}

function isByCertificate(socket: TLSSocket): boolean {
  let known = byCertificate.get(socket);
  if (known === undefined) {
    known = isMaster(socket);
    byCertificate.set(socket, known);
  }
  return known;
}

/** The certificate of a connection never changes, and reading it takes longer than many a request. */
const byCertificate = new WeakMap<TLSSocket, boolean>();

function isMaster(socket: TLSSocket): boolean {
  // Only certificates that our own authority signed are taken as authorized.
  if (!socket.authorized) return false;
  const { subject } = socket.getPeerCertificate();
  const groups: string | string[] | undefined = subject?.O;
  return groups === "system:masters" || (Array.isArray(groups) && groups.includes("system:masters"));
}

/** Equal lengths, so that a comparison tells nothing by its duration. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** 401, as a real server answers it. */
export function unauthorized(): ApiFailure {
  return new ApiFailure(401, "Unauthorized", "Unauthorized");
}
