import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { type LogFields, type Logger, silentLogger } from "@kubewright/core/log";
import type { Transport } from "@kubewright/core/transport";
import { expect, test } from "vitest";
import { ConfigMap } from "../../test/kinds.js";
import { controller } from "../reconcile/index.js";
import { operator } from "./index.js";

const maps = operator({ name: "maps", controllers: [controller(ConfigMap, { name: "maps", reconcile: () => {} })] });

async function startLine(fails = false): Promise<LogFields | undefined> {
  const clock = new FakeClock();
  await using cluster = await startCluster({ clock });
  const { transport: inner } = cluster;
  const transport: Transport = {
    host: "10.0.0.1:6443",
    send: (request) => {
      if (fails && request.path === "/version") return Promise.reject(new Error("no version"));
      return inner.send(request);
    },
    stream: (request) => inner.stream(request),
    close: async () => {},
  };
  const lines: LogFields[] = [];
  const logger: Logger = {
    ...silentLogger,
    info: (fields, message) => void (message === "Operator started" && lines.push(fields)),
    child: () => logger,
  };
  await using _ = await maps.start({ transport, clock, logger });
  return lines[0];
}

test("the start logs one line with the server's address and version, and the controllers", async () => {
  expect(await startLine()).toEqual({
    server: "10.0.0.1:6443",
    version: expect.stringMatching(/^v1\.\d+/),
    controllers: ["maps"],
  });
});

test("a server that does not report its version does not fail the start", async () => {
  expect(await startLine(true)).toMatchObject({ version: "unknown" });
});
