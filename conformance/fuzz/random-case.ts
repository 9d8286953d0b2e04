import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { definitions } from "../requests/sample-objects.js";
import { type Case, get, post, type RequestStep, read, remove, type Step, waitFor } from "../test-case.js";
import { type FuzzKind, plainKinds } from "./builtin-objects.js";
import { type Chooser, drawn } from "./chooser.js";
import { randomPolicies } from "./random-policy.js";
import { withRandomRules } from "./random-rules.js";
import { randomSchema, randomValue } from "./random-schema.js";
import { randomStep, randomWatch } from "./random-step.js";
import { randomUsers } from "./random-users.js";
import { randomWebhooks } from "./random-webhooks.js";
import { service } from "./service-objects.js";

/** What a fuzzer run sends, determined by its seed. */
export interface FuzzPlan {
  /** Run before the others: they define the kinds. */
  readonly definitions: readonly Case[];
  readonly cases: readonly Case[];
}

/** Options of a fuzzer run. */
export interface FuzzOptions {
  readonly seed: number;
  /** The minimum number of requests. */
  readonly requests: number;
  /** The number of custom kinds: a real server needs seconds for each. */
  readonly kinds: number;
  /** Whether each case has random webhook configurations. @default false */
  readonly webhooks?: boolean;
}

const stepsOfCase = 20;

/** The cases of a seed. A case depends only on the seed and its index, so that it can be repeated alone. */
export function fuzzPlan({ seed, requests, kinds, webhooks = false }: FuzzOptions): FuzzPlan {
  const custom = Array.from({ length: kinds }, (_, index) => customKind(seed, index));
  const count = Math.ceil(requests / stepsOfCase);
  return {
    definitions: custom.map(({ definition }) => definition),
    cases: Array.from({ length: count }, (_, index) => {
      const name = `fuzz seed ${seed} case ${index}`;
      return drawn(mixed(seed, index), (choose) => ({ name, steps: randomSteps(choose, custom, webhooks) }));
    }),
  };
}

function randomSteps(choose: Chooser, custom: readonly CustomKind[], hasWebhooks: boolean): Step[] {
  if (!hasWebhooks && choose.chance(8)) return Array.from({ length: stepsOfCase }, () => dryDefinition(choose));
  const chosen = choose.chance(45) ? choose.of(custom) : undefined;
  const kind = chosen?.kind ?? choose.of(builtinKinds);
  const policies =
    !hasWebhooks && choose.chance(20) ? randomPolicies(choose, kind, chosen?.spec) : { before: [], after: [] };
  const users = !hasWebhooks && choose.chance(25) ? randomUsers(choose, kind) : undefined;
  const drawnSteps = Array.from({ length: stepsOfCase - 1 }, () => {
    const step = randomStep(choose, kind);
    return users === undefined ? step : users.sentBy(step);
  });
  const steps: Step[] = drawnSteps.map((step, index) =>
    withoutEmptyMetadata(step, hasWebhooks || isWrite(drawnSteps[index - 1])),
  );
  if (choose.chance(25)) steps.splice(choose.below(steps.length), 0, randomWatch(choose, kind, "one"));
  if (choose.chance(10)) steps.splice(choose.below(steps.length), 0, randomWatch(choose, kind, "two"));
  const webhooks = hasWebhooks ? randomWebhooks(choose, kind) : undefined;
  const watches = steps.flatMap((step) => (step.kind === "request" && step.watch !== undefined ? [step.watch] : []));
  return [
    // The owner of objects with owner references: it stays, so that the garbage collector deletes nothing. Compared, so that it is the first uid.
    get("/api/v1/namespaces/{ns}", { capture: { nsUid: "metadata.uid" }, fields: ["metadata.uid"] }),
    ...(webhooks?.before ?? []),
    ...(users?.before ?? []),
    ...policies.before,
    ...steps,
    ...policies.after,
    ...(webhooks?.after ?? []),
    get(kind.path),
    ...watches.map((name) => read(name, "quiet")),
    // Frees cluster IPs: the range is smaller than the number of Services.
    ...(kind === service ? [remove(kind.path, undefined, { silent: true })] : []),
  ];
}

function isWrite(step: RequestStep | undefined): boolean {
  return step !== undefined && ["POST", "PUT", "PATCH"].includes(step.method);
}

/**
 * Drops empty metadata from an apply if `isDropped`. After a write that may have created the object, whether they raise the resourceVersion depends
 * on whether the watch cache of a real server already has the object. Webhooks do not see them here, a known difference.
 */
function withoutEmptyMetadata(step: RequestStep, isDropped: boolean): RequestStep {
  const isApply = step.headers?.["content-type"] === "application/apply-patch+yaml";
  if (!isApply || !isDropped || !isJsonObject(step.body) || !isJsonObject(step.body["metadata"])) return step;
  const kept = Object.entries(step.body["metadata"]).filter(([, value]) => !isEmpty(value));
  const metadata = kept.length === 0 ? { name: "a" } : Object.fromEntries(kept);
  return { ...step, body: { ...step.body, metadata } };
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

const builtinKinds = [...plainKinds, service];

/** A dry-run create of a CRD, so that a real server need not serve it. */
function dryDefinition(choose: Chooser): RequestStep {
  const isSound = choose.chance(25);
  const spec = randomSchema(choose, isSound);
  const schema = specSchema(choose.chance(40) ? withRandomRules(choose, spec, isSound) : spec);
  return post(`${definitions}?dryRun=All`, definitionOf("{group}", schema));
}

interface CustomKind {
  readonly spec: JsonObject;
  readonly kind: FuzzKind;
  readonly definition: Case;
}

function customKind(seed: number, index: number): CustomKind {
  const group = `k${index}.fuzz.example.com`;
  const schema = drawn(mixed(seed, -1 - index), (choose) => {
    const spec = randomSchema(choose, true);
    return index % 2 === 0 ? spec : withRandomRules(choose, spec, true);
  });
  return {
    spec: schema,
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

/** Mixes seed and index, so that neighbouring indexes have unrelated seeds. */
function mixed(seed: number, index: number): number {
  let hash = (seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
