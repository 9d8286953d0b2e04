/**
 * The operator under chaos, as a process: copies each Chaos into a ConfigMap. Prints the port of `/readyz` over IPC, then reacts to commands.
 * Arguments: a kubeconfig file, and the server's address.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "@kubewright/core/clock";
import type { Transport, TransportResponse } from "@kubewright/core/transport";
import { objectMeta } from "../../src/client/index.js";
import { ConfigMap } from "../../src/k8s/core/v1.gen.js";
import { operator } from "../../src/manager/index.js";
import { controller } from "../../src/reconcile/index.js";
import { HttpsTransport, parseKubeconfig } from "../../src/transport/index.js";
import { Chaos, type ChaosCommand, type ChaosReport, workers } from "./chaos-kind.js";

const [file = "", server = ""] = process.argv.slice(2);

let offsetMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + offsetMs };

let burst = { status: 500, untilMs: 0 };
const failure = (): TransportResponse | undefined => {
  const { status, untilMs } = burst;
  if (performance.now() > untilMs || Math.random() < 0.2) return undefined;
  const reason = status === 429 ? "TooManyRequests" : "InternalError";
  return { status, headers: {}, body: { kind: "Status", apiVersion: "v1", status: "Failure", reason, code: status } };
};
const https = new HttpsTransport(
  { ...(await parseKubeconfig([{ file, text: await readFile(file, "utf8") }])), server },
  { clock },
);
const transport: Transport = {
  send: async (request) => failure() ?? https.send(request),
  stream: async (request) => {
    const response = failure();
    return response === undefined ? https.stream(request) : { kind: "answer", response };
  },
  close: () => https.close(),
};

const onKey = new Map<string, number>();
let mostOnKey = 0;
let waiting: (() => void)[] = [];
/** Resolves when every worker waits here. */
function barrier(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    waiting.push(resolve);
    if (waiting.length < workers) return;
    for (const pass of waiting) pass();
    waiting = [];
  });
}

const copying = controller(Chaos, {
  name: "chaos",
  owns: [ConfigMap],
  workers,
  timeout: "60s",
  reconcile: async ({ object, apply, event, signal }) => {
    const { name } = objectMeta(object);
    const now = (onKey.get(name) ?? 0) + 1;
    onKey.set(name, now);
    mostOnKey = Math.max(mostOnKey, now);
    try {
      if (name.startsWith("barrier-")) await barrier(signal);
      const { value = "" } = (object as { readonly spec?: { readonly value?: string } }).spec ?? {};
      await apply(ConfigMap, { metadata: { name }, data: { value } });
      event("Normal", "Copied", `Copied ${value}`);
    } finally {
      if (now === 1) onKey.delete(name);
      else onKey.set(name, now - 1);
    }
  },
  finalize: async ({ event }) => {
    event("Normal", "Released", "Released");
  },
});

const running = await operator({ name: "chaos", controllers: [copying] }).start({ transport, clock });
const health = createServer((_, response) => {
  const reason = running.whyNotReady();
  response.writeHead(reason === undefined ? 200 : 500).end(reason ?? "ok");
});
health.listen(0, "127.0.0.1", () => process.send?.({ port: (health.address() as AddressInfo).port }));

process.on("message", (command: ChaosCommand) => {
  switch (command.kind) {
    case "clock":
      offsetMs = command.offsetMs;
      return;
    case "burst":
      burst = { status: command.status, untilMs: performance.now() + command.forMs };
      return;
    case "report":
      void report().then((state) => process.send?.(state));
      return;
    default:
      command satisfies never;
  }
});

async function report(): Promise<ChaosReport> {
  // Two collections with a turn between them: the first runs finalizers that release more.
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    heapBytes: heapUsed + external,
    residentBytes: rss,
    idle: running.idle,
    runs: running.runs,
    failing: running.failing().map(({ key, error }) => `${key}: ${error.message}`),
    mostOnKey,
  };
}
