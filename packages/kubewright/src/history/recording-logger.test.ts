import type { LogFields, Logger } from "@kubewright/core/log";
import { silentLogger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { RecordingLogger } from "./index.js";
import type { LoggedLine } from "./recorded-run.js";
import { RunRecording } from "./run-recording.js";

test("RecordingLogger keeps lines with the fields of its children, and forwards them", () => {
  const kept: LoggedLine[] = [];
  const written: string[] = [];
  const write = (fields: LogFields, message: string): void => void written.push(`${message} ${Object.keys(fields)}`);
  const inner: Logger = { debug: write, info: write, warn: write, error: write, child: () => inner };
  const logger = new RecordingLogger(inner, (line) => kept.push(line));
  logger.child({ zone: "eu" }).info({ nodes: [1, 2], err: new Error("full") }, "Scheduled");
  logger.debug({}, "Tried");
  expect(kept).toEqual([
    { level: "info", message: "Scheduled", fields: "zone=eu nodes=[ 1, 2 ] err=full" },
    { level: "debug", message: "Tried" },
  ]);
  expect(written).toEqual(["Scheduled nodes,err", "Tried "]);
});

test("RecordingLogger keeps no debug line that is not written, cuts long lines, and survives what cannot be formatted", () => {
  const kept: LoggedLine[] = [];
  const logger = new RecordingLogger(silentLogger, (line) => kept.push(line));
  logger.debug({}, "not written");
  const hostile = {
    get secret(): string {
      throw new Error("hostile");
    },
    [Symbol.for("nodejs.util.inspect.custom")]: () => {
      throw new Error("hostile");
    },
  };
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  logger.warn({ hostile, cyclic, long: "y".repeat(1_000) }, "x".repeat(1_000));
  const throwing = Object.defineProperty({}, "field", { enumerable: true, get: () => expect.unreachable() });
  logger.info(throwing, "throws");
  expect(kept).toHaveLength(2);
  expect(kept[0]?.message).toHaveLength(200);
  expect(kept[0]?.fields).toHaveLength(300);
  expect(kept[0]?.fields).toMatch(/^hostile=\? cyclic=/);
});

test("RunRecording keeps twenty log lines, the last error among them, and none after the end of the run", () => {
  const recording = new RunRecording();
  for (let line = 0; line < 30; line++) recording.log({ level: "info", message: String(line) });
  recording.log({ level: "error", message: "failed" });
  recording.close();
  recording.log({ level: "error", message: "late" });
  expect(recording.logs).toHaveLength(20);
  expect(recording.logs.at(-1)?.message).toBe("failed");
  expect(recording.isTruncated).toBe(true);
});
