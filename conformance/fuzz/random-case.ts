import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { definitions } from "../requests/sample-objects.js";
import { type Case, get, post, type RequestStep, read, remove, type Step, waitFor } from "../test-case.js";
import { type FuzzKind, plainKinds } from "./builtin-objects.js";
import { type Chooser, drawn } from "./chooser.js";
import { randomSchema, randomValue } from "./random-schema.js";
import { randomStep, randomWatch } from "./random-step.js";
import { service } from "./service-objects.js";

/** What a run of the fuzzer sends, all of it given by its seed. */
export interface FuzzPlan {
  /** To be run before the others: they define the kinds. */
  readonly definitions: readonly Case[];
  readonly cases: readonly Case[];
}

/** How much a run does. */
export interface FuzzOptions {
  readonly seed: number;
  /** How many requests, at least. */
  readonly requests: number;
  /** How many custom kinds: a real server takes seconds for each. */
  readonly kinds: number;
}

const stepsOfCase = 20;

/** The cases of a seed. A case depends on the seed and its own number alone, so that one can be run again without the others. */
export function fuzzPlan({ seed, requests, kinds }: FuzzOptions): FuzzPlan {
  const custom = Array.from({ length: kinds }, (_, index) => customKind(seed, index));
  const count = Math.ceil(requests / stepsOfCase);
  return {
    definitions: custom.map(({ definition }) => definition),
    cases: Array.from({ length: count }, (_, index) => {
      const name = `fuzz seed ${seed} case ${index}`;
      return drawn(mixed(seed, index), (choose) => ({ name, steps: randomSteps(choose, custom) }));
    }),
  };
}

function randomSteps(choose: Chooser, custom: readonly CustomKind[]): Step[] {
  if (choose.chance(8)) return Array.from({ length: stepsOfCase }, () => dryDefinition(choose));
  const kind = choose.chance(45) ? choose.of(custom.map((one) => one.kind)) : choose.of(builtinKinds);
  const drawnSteps = Array.from({ length: stepsOfCase - 1 }, () => randomStep(choose, kind));
  const steps: Step[] = drawnSteps.map((step, index) => withoutRace(step, drawnSteps[index - 1]));
  if (choose.chance(25)) steps.splice(choose.below(steps.length), 0, randomWatch(choose, kind, "one"));
  if (choose.chance(10)) steps.splice(choose.below(steps.length), 0, randomWatch(choose, kind, "two"));
  const watches = steps.flatMap((step) => (step.kind === "request" && step.watch !== undefined ? [step.watch] : []));
  return [
    // Owners that stay: those that go would take their dependents with them in the servers' own time. Compared, so that it is the first uid.
    get("/api/v1/namespaces/{ns}", { capture: { nsUid: "metadata.uid" }, fields: ["metadata.uid"] }),
    ...steps,
    get(kind.path),
    ...watches.map((name) => read(name, "quiet")),
    // There are fewer addresses than Services would be.
    ...(kind === service ? [remove(kind.path, undefined, { silent: true })] : []),
  ];
}

/**
 * The step, without metadata that have no effect where it applies them directly after a write that may have created the object:
 * whether they move the version depends on whether the watch cache of a real server has the object by then.
 */
function withoutRace(step: RequestStep, before: RequestStep | undefined): RequestStep {
  const isApply = step.headers?.["content-type"] === "application/apply-patch+yaml";
  const isAfterWrite = before !== undefined && ["POST", "PUT", "PATCH"].includes(before.method);
  if (!isApply || !isAfterWrite || !isJsonObject(step.body) || !isJsonObject(step.body["metadata"])) return step;
  const kept = Object.entries(step.body["metadata"]).filter(([, value]) => !isHollow(value));
  const metadata = kept.length === 0 ? { name: "a" } : Object.fromEntries(kept);
  return { ...step, body: { ...step.body, metadata } };
}

function isHollow(value: JsonValue): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

const builtinKinds = [...plainKinds, service];

/** A definition that is only tried, so that a real server need not take it in. */
function dryDefinition(choose: Chooser): RequestStep {
  const schema = specSchema(randomSchema(choose, choose.chance(25)));
  return post(`${definitions}?dryRun=All`, definitionOf("{group}", schema));
}

interface CustomKind {
  readonly kind: FuzzKind;
  readonly definition: Case;
}

function customKind(seed: number, index: number): CustomKind {
  const group = `k${index}.fuzz.example.com`;
  const schema = drawn(mixed(seed, -1 - index), (choose) => randomSchema(choose, true));
  return {
    definition: {
      name: `fuzz seed ${seed} kind ${index}`,
      steps: [
        post(definitions, definitionOf(group, specSchema(schema))),
        waitFor(`${definitions}/widgets.${group}`, { includes: "InitialNamesAccepted" }),
        waitFor(`/apis/${group}/v1/widgets`),
        get(`${definitions}/widgets.${group}`, { fields: ["spec"] }),
      ],
    },
    kind: {
      apiVersion: `${group}/v1`,
      kind: "Widget",
      path: `/apis/${group}/v1/namespaces/{ns}/widgets`,
      subresources: ["status"],
      fields: ["metadata.name"],
      isStrategic: false,
      content: (choose) => ({
        spec: randomValue(choose, schema, choose.of([0, 0, 0, 0, 3, 8])),
        ...(choose.chance(15) ? { status: { ready: choose.chance(50) } } : {}),
      }),
    },
  };
}

function specSchema(spec: JsonObject): JsonObject {
  return {
    type: "object",
    properties: { spec, status: { type: "object", properties: { ready: { type: "boolean" } } } },
  };
}

function definitionOf(group: string, schema: JsonObject): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      names: { kind: "Widget", plural: "widgets" },
      scope: "Namespaced",
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
      ],
    },
  };
}

/** Neighbouring numbers give unlike seeds. */
function mixed(seed: number, index: number): number {
  let hash = (seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
