import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import { applyConfiguration, conflictMessage, trackUpdate } from "./index.js";

/** Sequences of writes with the results of Kubernetes' field manager (k8s.io/apimachinery v0.36.4), without times. */
interface Recorded {
  readonly schema: Schema;
  readonly scenarios: readonly (readonly Step[])[];
}

interface Step {
  readonly op: "apply" | "update";
  readonly manager: string;
  readonly force: boolean;
  readonly object: JsonObject;
  readonly expected: { readonly error?: string; readonly metadata?: JsonObject; readonly spec?: JsonObject };
}

const recorded: Recorded = JSON.parse(readFileSync(new URL("recorded-applies.gen.json", import.meta.url), "utf8"));

test("applies and updates have the same results as Kubernetes' field manager", () => {
  expect(recorded.scenarios.length).toBeGreaterThan(30);
  for (const [index, steps] of recorded.scenarios.entries()) {
    let live: JsonObject = { apiVersion: "example.com/v1", kind: "Thing", metadata: {} };
    for (const [position, step] of steps.entries()) {
      const result = write(live, step);
      const place = `scenario ${index}, step ${position}`;
      if (typeof result === "string") {
        expect(result, place).toBe(step.expected.error);
        continue;
      }
      expect({ metadata: withoutTimes(result), spec: result["spec"] }, place).toEqual(inOurOrder(step.expected));
      live = result;
    }
  }
});

/** The new object, or the message of the conflict. */
function write(live: JsonObject, { op, manager, force, object }: Step): JsonObject | string {
  const options = {
    live,
    manager,
    apiVersion: "example.com/v1",
    schema: recorded.schema,
    time: "2030-01-01T00:00:00Z",
  };
  if (op === "update") return trackUpdate({ ...options, object });
  const result = applyConfiguration({ ...options, config: object, force });
  return result.kind === "applied" ? result.object : conflictMessage(result.conflicts);
}

function withoutTimes(object: JsonObject): JsonObject {
  const { managedFields, ...rest } = object["metadata"] as JsonObject & { managedFields?: readonly JsonObject[] };
  if (managedFields === undefined) return rest;
  return { ...rest, managedFields: byManager(managedFields.map(({ time: _, ...entry }) => entry)) };
}

/** The order of entries depends on times, which were not recorded. */
function inOurOrder({ metadata, spec }: Step["expected"]): object {
  const { managedFields, ...rest } = metadata as JsonObject & { managedFields?: readonly JsonObject[] };
  return { metadata: managedFields === undefined ? rest : { ...rest, managedFields: byManager(managedFields) }, spec };
}

function byManager(entries: readonly JsonObject[]): JsonObject[] {
  const id = ({ manager, operation }: JsonObject): string => `${String(manager)} ${String(operation)}`;
  return [...entries].sort((a, b) => (id(a) < id(b) ? -1 : 1));
}
