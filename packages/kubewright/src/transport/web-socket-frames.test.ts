import fc from "fast-check";
import { expect, test } from "vitest";
import { clientFrames, serverFrame } from "../../test/exec-server.js";
import { clientFrame, type WebSocketFrame, WebSocketReader } from "./web-socket-frames.js";

const limit = 100_000;

/** Splits bytes at these positions, taken modulo the length. */
function split(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const cuts = [0, ...positions.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

function read(chunks: readonly Buffer[]): WebSocketFrame[] {
  const reader = new WebSocketReader(limit);
  return chunks.flatMap((chunk) => reader.push(chunk));
}

test("messages are the same however a server fragments them, and however the network splits them", () => {
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.integer({ min: 0, max: 70_000 }).map((length) => new Uint8Array(length).fill(7)),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(message, fc.array(fc.nat(), { maxLength: 3 })), { maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      (messages, positions) => {
        const sent = messages.map(([data, cuts]) => {
          const parts = split(Buffer.from(data), cuts);
          const frames = parts.map((part, index) => serverFrame(index === 0 ? 2 : 0, part, index === parts.length - 1));
          // Control frames may come between fragments.
          return Buffer.concat(frames.flatMap((frame) => [serverFrame(9, Buffer.from("ping")), frame]));
        });
        const frames = read(split(Buffer.concat(sent), positions));
        const received = frames.flatMap((frame) => (frame.kind === "message" ? [frame.data] : []));
        expect(received).toHaveLength(messages.length);
        expect(received.every((data, index) => data.equals(messages[index]?.[0] ?? data))).toBe(true);
        expect(frames.filter(({ kind }) => kind === "ping")).toHaveLength(
          messages.reduce((sum, [, cuts]) => sum + cuts.length + 1, 0),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test("frames of the client are masked, and read by a server as they were sent", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 70_000 }), { maxLength: 3 }),
      fc.array(fc.nat()),
      (messages, cuts) => {
        const decode = clientFrames();
        const bytes = Buffer.concat(messages.map((data) => clientFrame("binary", data)));
        const received = split(bytes, cuts).flatMap((chunk) => decode(chunk));
        expect(received).toHaveLength(messages.length);
        expect(received.every(({ data }, index) => data.equals(messages[index] ?? data))).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
  const zeros = clientFrame("binary", new Uint8Array(64));
  expect(zeros.subarray(6).equals(Buffer.alloc(64))).toBe(false);
});

test("a close frame has a code and a reason, or neither", () => {
  const data = Buffer.concat([Buffer.of(3, 243), Buffer.from("went wrong")]);
  expect(read([serverFrame(8, data)])).toEqual([{ kind: "close", code: 1011, reason: "went wrong" }]);
  expect(read([serverFrame(8, Buffer.alloc(0))])).toEqual([{ kind: "close", code: 1005, reason: "" }]);
});

test.each([
  ["a compressed frame", Buffer.of(0xc2, 0), /extension/],
  ["a masked frame", Buffer.of(0x82, 0x80), /masked/],
  ["an unknown opcode", Buffer.of(0x83, 0), /unknown opcode 3/],
  ["a continuation of nothing", serverFrame(0, Buffer.alloc(1)), /out of order/],
  [
    "a message inside another",
    Buffer.concat([serverFrame(2, Buffer.alloc(1), false), serverFrame(2, Buffer.alloc(1))]),
    /out of order/,
  ],
  ["a fragmented ping", Buffer.of(0x09, 0), /control frame/],
  ["a long ping", Buffer.of(0x89, 126, 0, 200), /control frame/],
  ["a message above the limit", serverFrame(2, Buffer.alloc(limit + 1)).subarray(0, 10), /more than 100000 bytes/],
  [
    "fragments above the limit",
    Buffer.concat([serverFrame(2, Buffer.alloc(limit), false), serverFrame(0, Buffer.alloc(1))]),
    /more than 100000 bytes/,
  ],
] as const)("%s is an error", (_, bytes, message) => {
  expect(() => read([bytes])).toThrow(message);
});
