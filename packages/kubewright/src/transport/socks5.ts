import { once } from "node:events";
import { isIP, type Socket } from "node:net";

/** The target of a SOCKS5 CONNECT request, and the proxy credentials. */
export interface Socks5Target {
  readonly hostname: string;
  readonly port: number;
  /** Empty: without authentication. */
  readonly username: string;
  readonly password: string;
}

const noAuthentication = 0;
const nameAndPassword = 2;

/** Reply codes of RFC 1928, section 6. */
const replies: Readonly<Record<number, string>> = {
  1: "general failure",
  2: "its ruleset does not allow the connection",
  3: "the network is unreachable",
  4: "the host is unreachable",
  5: "the connection was refused",
  6: "the time to live expired",
  7: "it does not support the command",
  8: "it does not support the address type",
};

/**
 * Performs the SOCKS5 handshake on `socket` (RFC 1928, with username and password of RFC 1929). The proxy resolves host names. On success the
 * socket is connected to the target, and none of the target's bytes have been read.
 */
export async function openSocks5(socket: Socket, { hostname, port, username, password }: Socks5Target): Promise<void> {
  const methods = username === "" ? [noAuthentication] : [noAuthentication, nameAndPassword];
  socket.write(Uint8Array.of(5, methods.length, ...methods));
  const [version, method] = await read(socket, 2);
  if (version !== 5) throw new Error("it does not speak SOCKS5");
  if (method === nameAndPassword && username !== "") {
    socket.write(Buffer.concat([Uint8Array.of(1), counted(username, "username"), counted(password, "password")]));
    const [, status] = await read(socket, 2);
    if (status !== 0) throw new Error("it rejected the username and password");
  } else if (method !== noAuthentication) {
    throw new Error(
      username === "" ? "it requires a username and password" : "it does not support a username and password",
    );
  }
  socket.write(Buffer.concat([Uint8Array.of(5, 1, 0), addressOf(hostname), Uint8Array.of(port >> 8, port & 0xff)]));
  const [, reply = 1, , addressType] = await read(socket, 4);
  if (reply !== 0) throw new Error(`it cannot connect to ${hostname}:${port}: ${replies[reply] ?? `code ${reply}`}`);
  const length = addressType === 1 ? 4 : addressType === 4 ? 16 : (await read(socket, 1))[0];
  await read(socket, (length ?? 0) + 2);
}

function addressOf(hostname: string): Buffer {
  const bare = hostname.replace(/^\[|\]$/g, "");
  switch (isIP(bare)) {
    case 4:
      return Buffer.from([1, ...bare.split(".").map(Number)]);
    case 6:
      return Buffer.concat([Uint8Array.of(4), ipv6Bytes(bare)]);
    default:
      return Buffer.concat([Uint8Array.of(3), counted(bare, "host name")]);
  }
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser normalizes the address: hexadecimal groups, `::` at most once.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const first = groups(head);
  const last = groups(tail ?? "");
  const bytes = Buffer.alloc(16);
  first.forEach((group, at) => void bytes.writeUInt16BE(group, at * 2));
  last.forEach((group, at) => void bytes.writeUInt16BE(group, 16 - (last.length - at) * 2));
  return bytes;
}

function counted(text: string, what: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > 255) throw new Error(`the ${what} is longer than 255 bytes`);
  return Buffer.concat([Uint8Array.of(bytes.length), bytes]);
}

async function read(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes: unknown = socket.read(length);
    if (Buffer.isBuffer(bytes) && bytes.length === length) return bytes;
    if (socket.readableEnded || socket.destroyed || bytes !== null) throw new Error("it closed the connection");
    const stop = new AbortController();
    try {
      await Promise.race([
        once(socket, "readable", { signal: stop.signal }),
        once(socket, "end", { signal: stop.signal }),
      ]);
    } finally {
      stop.abort();
    }
  }
}
