import type { LogFields, Logger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { RunHistory } from "../history/index.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { controller } from "./index.js";

/** Records lines with the fields of the run. */
class Lines implements Logger {
  readonly all: LogFields[];
  readonly isDebug: boolean;
  readonly #fields: LogFields;

  constructor(isDebug: boolean, all: LogFields[] = [], fields: LogFields = {}) {
    this.isDebug = isDebug;
    this.all = all;
    this.#fields = fields;
  }

  debugs = (): boolean => this.isDebug;
  debug = (fields: LogFields, message: string): void => this.#add("debug", fields, message);
  info = (): void => {};
  warn = (fields: LogFields, message: string): void => this.#add("warn", fields, message);
  error = (fields: LogFields, message: string): void => this.#add("error", fields, message);
  child = (fields: LogFields): Logger => new Lines(this.isDebug, this.all, { ...this.#fields, ...fields });

  of(level: string): LogFields[] {
    return this.all.filter((line) => line["level"] === level && line["key"] !== undefined);
  }

  #add(level: string, fields: LogFields, message: string): void {
    this.all.push({ ...this.#fields, ...fields, level, message });
  }
}

const website = controller(Website, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply }) => {
    const { name } = object.metadata;
    await apply(ConfigMap, { metadata: { name, labels: { image: object.spec.image.replace(":", "-") } } });
  },
});

test("at debug level each run logs one line with causes, changed paths, writes, outcome and duration", async () => {
  const logger = new Lines(true);
  await using running = await runController(website, {
    install: [Website],
    logger,
    observe: { history: new RunHistory() },
  });
  await running.client.create(Website, shop);
  await running.settle();
  await running.client.patch(Website, "shop", { merge: { spec: { image: "shop:2" } } });
  await running.settle();
  expect(logger.of("debug").filter(({ writes }) => writes !== undefined)).toMatchObject([
    {
      message: "Reconciled",
      key: "default/shop",
      causes: ["Website default/shop, added"],
      writes: ["apply  ConfigMap default/shop    created"],
      outcome: "done",
      durationMs: expect.any(Number),
    },
    {
      causes: ["Website default/shop, changed .spec.image"],
      writes: ["apply  ConfigMap default/shop    ~ .metadata.labels.image shop-1 -> shop-2"],
    },
  ]);
});

test("without debug lines no run creates a logger of its own", async () => {
  const logger = new Lines(false);
  let children = 0;
  const inner = logger.child;
  logger.child = (fields) => {
    if ("reconcileId" in fields) children += 1;
    return inner(fields);
  };
  await using running = await runController(website, { install: [Website], logger });
  await running.client.create(Website, shop);
  await running.settle();
  expect([children, logger.of("debug")]).toEqual([0, []]);
});

test("a failure logs its stack once, each retry one line with the message and the causes, and a new failure its stack", async () => {
  const logger = new Lines(false);
  let message = "no token";
  const failing = controller(Website, {
    backoff: { first: "1s", max: "1s" },
    reconcile: () => Promise.reject(new Error(message)),
  });
  await using running = await runController(failing, { install: [Website], logger });
  await running.client.create(Website, shop);
  await running.settle();
  await running.advance(1_000);
  message = "no image";
  await running.advance(1_000);
  expect(logger.of("error")).toMatchObject([
    { err: new Error("no token"), causes: ["Website default/shop, added"], attempt: 1, delayMs: 1_000 },
    { error: "no token", causes: ["retry after: no token"], attempt: 2 },
    { err: new Error("no image"), causes: ["retry after: no token"], attempt: 3 },
  ]);
  expect(logger.of("error")[1]).not.toHaveProperty("err");
});
