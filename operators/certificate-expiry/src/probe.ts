import { connect, type TLSSocket } from "node:tls";
import type { ReconcileContext } from "kubewright";
import type { TlsEndpoint } from "./tls-endpoint.js";

/** The server to connect to. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly serverName?: string | undefined;
}

/** What a connection found out. An endpoint that cannot be reached is a finding, not an error of the operator. */
export type Finding =
  | {
      readonly kind: "certificate";
      readonly notAfterMs: number;
      readonly issuer: string;
      readonly fingerprint: string;
      /** Why a client of this machine does not trust the certificate, such as `CERT_HAS_EXPIRED`; undefined when it does. */
      readonly trustError: string | undefined;
    }
  | { readonly kind: "unreachable"; readonly reason: "ConnectionFailed" | "TimedOut"; readonly message: string };

type RunContext = Pick<ReconcileContext<typeof TlsEndpoint, readonly [], readonly [], readonly []>, "clock" | "signal">;

/** Connects to an endpoint once. Rejects only when `signal` aborts. */
export type Probe = (endpoint: Endpoint, context: RunContext) => Promise<Finding>;

const timeoutMs = 10_000;

/**
 * Makes a TLS handshake, reads the certificate and closes the connection; nothing else is sent.
 *
 * The handshake accepts every certificate, because an expired one must be reported too. Ends after ten seconds of the given clock, and closes its
 * socket in every case.
 */
export const probeCertificate: Probe = async ({ host, port, serverName = host }, { clock, signal }) => {
  signal.throwIfAborted();
  const socket = connect({ host, port, servername: serverNameOf(serverName), rejectUnauthorized: false });
  try {
    return await new Promise<Finding>((resolve, reject) => {
      const timer = clock.startTimer(timeoutMs, () =>
        resolve(unreachable("TimedOut", `No TLS handshake within ${timeoutMs / 1_000} s`)),
      );
      const onAbort = (): void => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      socket.once("close", () => {
        timer.cancel();
        signal.removeEventListener("abort", onAbort);
        resolve(unreachable("ConnectionFailed", "The server closed the connection during the handshake"));
      });
      socket.once("error", ({ message }) => resolve(unreachable("ConnectionFailed", message)));
      socket.once("secureConnect", () => resolve(findingOf(socket)));
    });
  } finally {
    socket.destroy();
  }
};

function findingOf(socket: TLSSocket): Finding {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return unreachable("ConnectionFailed", "The server sent no certificate");
  return {
    kind: "certificate",
    notAfterMs: Date.parse(certificate.validTo),
    issuer: certificate.issuer.replaceAll("\n", ", "),
    fingerprint: certificate.fingerprint256,
    // Node types it as an Error; it is the code, or the message, of one.
    trustError: socket.authorized ? undefined : String(socket.authorizationError),
  };
}

/** SNI takes names only: an IP address there is rejected. */
function serverNameOf(name: string): string {
  return /^[\d.]+$|:/.test(name) ? "" : name;
}

function unreachable(reason: "ConnectionFailed" | "TimedOut", message: string): Finding {
  return { kind: "unreachable", reason, message };
}
