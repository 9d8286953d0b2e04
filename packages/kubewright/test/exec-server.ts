import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** A command that a test's server runs. */
export interface ServedExec {
  readonly request: IncomingMessage;
  /** The parameters of the request. */
  readonly query: URLSearchParams;
  readonly socket: Duplex;
  /** Resolves with the standard input, once the client has ended it. */
  readonly stdin: Promise<Buffer>;
  stdout(data: string | Buffer): void;
  stderr(data: string): void;
  /** Sends the exit status, as the kubelet does, and closes the WebSocket. */
  exit(status: object): void;
  /** Sends bytes as they are. */
  raw(bytes: Buffer): void;
  close(code?: number): void;
}

/** Status objects as the kubelet sends them. */
export const exitStatus = {
  success: { metadata: {}, status: "Success" },
  failed: (code: number) => ({
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  }),
  internal: (message: string) => ({ metadata: {}, status: "Failure", message, reason: "InternalError", code: 500 }),
} as const;

/** Speaks the server's side of `channel.k8s.io` for upgrades of `server`: that of a kubelet. */
export function serveExec(
  server: Server,
  run: (exec: ServedExec) => void,
  spoken = ["v5.channel.k8s.io", "v4.channel.k8s.io"],
): void {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => {});
    const asked = (request.headers["sec-websocket-protocol"] ?? "").split(/, */);
    const protocol = asked.find((one) => spoken.includes(one));
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${protocol === undefined ? "" : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`,
    );
    const channel = (number: number, data: string | Buffer): void => {
      socket.write(serverFrame(2, Buffer.concat([Buffer.of(number), Buffer.from(data)])));
    };
    const close = (code = 1000): void => {
      const data = Buffer.alloc(2);
      data.writeUInt16BE(code);
      socket.end(serverFrame(8, data));
    };
    const stdin = new Promise<Buffer>((resolve) => {
      const input: Buffer[] = [];
      const decode = clientFrames();
      socket.on("data", (chunk: Buffer) => {
        for (const { opcode, data } of decode(chunk)) {
          if (opcode === 8) socket.end();
          if (opcode !== 2) continue;
          if (data[0] === 0) input.push(data.subarray(1));
          else if (data[0] === 255 && data[1] === 0) resolve(Buffer.concat(input));
        }
      });
    });
    run({
      request,
      query: new URL(request.url ?? "", "http://server").searchParams,
      socket,
      stdin,
      stdout: (data) => channel(1, data),
      stderr: (data) => channel(2, data),
      exit: (status) => {
        channel(3, JSON.stringify(status));
        close();
      },
      raw: (bytes) => void socket.write(bytes),
      close,
    });
  });
}

/** A frame of a server; `fin` is false for all fragments of a message but the last. */
export function serverFrame(opcode: number, data: Buffer, fin = true): Buffer {
  const { length } = data;
  const head = length < 126 ? Buffer.alloc(2) : length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = (fin ? 0x80 : 0) | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, data]);
}

/** Decodes the masked frames of a client, of any chunks of bytes. */
export function clientFrames(): (chunk: Buffer) => { readonly opcode: number; readonly data: Buffer }[] {
  let bytes: Buffer = Buffer.alloc(0);
  return (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    const frames: { opcode: number; data: Buffer }[] = [];
    for (;;) {
      const short = (bytes[1] ?? 0) & 0x7f;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (bytes.length < head + 4) return frames;
      const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
      if (bytes.length < head + 4 + length) return frames;
      if (((bytes[1] ?? 0) & 0x80) === 0) throw new Error("A client must mask its frames");
      const mask = bytes.subarray(head, head + 4);
      const data = Buffer.from(bytes.subarray(head + 4, head + 4 + length));
      for (let index = 0; index < length; index++) data[index] = (data[index] ?? 0) ^ (mask[index % 4] ?? 0);
      frames.push({ opcode: (bytes[0] ?? 0) & 0x0f, data });
      bytes = bytes.subarray(head + 4 + length);
    }
  };
}
