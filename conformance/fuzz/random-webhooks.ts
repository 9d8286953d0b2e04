import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { hook, mutating, removals, rule, validating } from "../requests/webhook-steps.js";
import type { Step } from "../test-case.js";
import type { AdmissionScript } from "../webhooks/index.js";
import type { FuzzKind } from "./builtin-objects.js";
import type { Chooser } from "./chooser.js";
import { anyValue, randomLabels } from "./random-metadata.js";

/** Random steps around those of a case: webhook configurations before them, and their removal after. */
export interface WebhookSteps {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}

/** Random webhook configurations for the objects of a kind. */
export function randomWebhooks(choose: Chooser, kind: FuzzKind): WebhookSteps {
  const isMutating = choose.chance(80);
  const hooks = (count: number, isMutatingHook: boolean): JsonObject[] =>
    Array.from({ length: count }, (_, index) => randomHook(choose, kind, { name: `hook${index}`, isMutatingHook }));
  const before = [
    ...(isMutating ? mutating(...hooks(1 + choose.below(3), true)) : []),
    // Of several rejections a real server sends the one that comes first: mostly only one webhook validates.
    ...(!isMutating || choose.chance(50) ? validating(...hooks(choose.chance(85) ? 1 : 2, false)) : []),
  ];
  return { before, after: removals(before) };
}

interface HookKind {
  readonly name: string;
  readonly isMutatingHook: boolean;
}

function randomHook(choose: Chooser, kind: FuzzKind, { name, isMutatingHook }: HookKind): JsonObject {
  const script = randomScript(choose, kind, isMutatingHook);
  const [group = "", version = ""] = kind.apiVersion.includes("/") ? kind.apiVersion.split("/") : ["", kind.apiVersion];
  const plural = kind.path.slice(kind.path.lastIndexOf("/") + 1);
  const operations = choose.chance(50) ? ["*"] : choose.some(["CREATE", "UPDATE", "DELETE"], 3);
  const rules = [
    rule({
      operations: operations.length === 0 ? ["CREATE"] : operations,
      apiGroups: [choose.of([group, group, "*"])],
      apiVersions: [choose.of([version, version, "*"])],
      resources: choose.of([[plural], [plural], [`${plural}/*`], [`${plural}/status`], ["*/scale"]]),
    }),
  ];
  return hook(name, script, {
    rules,
    timeoutSeconds: script.delayMs === undefined ? 10 : 1,
    failurePolicy: choose.of(["Fail", "Ignore"]),
    admissionReviewVersions: choose.of([["v1"], ["v1"], ["v1beta1"], ["v1beta1", "v1"]]),
    ...(isMutatingHook && choose.chance(50) && { reinvocationPolicy: "IfNeeded" }),
    ...(choose.chance(20) && { objectSelector: randomSelector(choose) }),
    ...(choose.chance(25) && { matchConditions: [{ name: "c", expression: choose.of(expressions) }] }),
  });
}

/** Never selects the probe that waits until a configuration has effect. */
function randomSelector(choose: Chooser): JsonObject {
  const [key = "app"] = Object.keys(randomLabels(choose)).filter((one) => /^[a-z]+$/.test(one));
  const matchExpressions = [
    { key: "probe", operator: "DoesNotExist" },
    { key, operator: choose.of(["Exists", "DoesNotExist"]) },
  ];
  return { matchExpressions };
}

const expressions = [
  "true",
  "object != null",
  "oldObject != null",
  "has(object.metadata.labels)",
  "object.metadata.labels.size() > 0",
  "request.operation != 'DELETE'",
  "request.name == 'a'",
  "object.metadata.name == 'a' || oldObject.metadata.name == 'a'",
  "request.dryRun",
];

function randomScript(choose: Chooser, kind: FuzzKind, isMutatingHook: boolean): AdmissionScript {
  if (choose.chance(12)) return choose.of(brokenScripts);
  if (choose.chance(2)) return { delayMs: 1_500 };
  const denied = choose.chance(isMutatingHook ? 5 : 25) ? { deny: choose.of(denials) } : {};
  const warned = choose.chance(20) ? { warnings: [choose.of(["careful", "deprecated"])] } : {};
  if (!isMutatingHook) return { ...denied, ...warned };
  const patch = Array.from({ length: 1 + choose.below(3) }, () => randomOperation(choose, kind));
  return { ...denied, ...warned, patch };
}

const denials: readonly JsonObject[] = [
  {},
  { message: "no" },
  { code: 403, reason: "Forbidden", message: "no" },
  { code: 200, message: "no" },
  {
    code: 422,
    reason: "Invalid",
    message: "no",
    details: { causes: [{ reason: "FieldValueInvalid", field: "spec" }] },
  },
];

const brokenScripts: readonly AdmissionScript[] = [
  { status: 500 },
  { text: "hello" },
  { text: "" },
  { review: { response: null } },
  { response: { uid: "other" } },
  { response: { allowed: "yes" } },
  { review: { kind: "Odd" } },
  { patchText: "hello" },
  { patchType: "JSONPatch" },
  { patch: [], patchType: "Odd" },
  { hangUp: true },
];

const paths = [
  ...["/metadata/labels", "/metadata/labels/app", "/metadata/annotations", "/metadata/annotations/note"],
  ...["/metadata/finalizers", "/metadata/generateName", "/metadata/name", "/metadata/resourceVersion"],
  ...["/data", "/data/k", "/data/new", "/immutable", "/type", "/spec", "/spec/replicas", "/spec/containers/0/image"],
  ...["/spec/template/metadata/labels/app", "/spec/paused", "/spec/new", "/status", "/status/ready", "/unknown"],
];

function randomOperation(choose: Chooser, kind: FuzzKind): JsonObject {
  if (choose.chance(35)) return { op: "add", path: "/metadata/labels", value: randomLabels(choose) };
  if (choose.chance(15)) return { op: "add", path: "/metadata/annotations", value: { note: choose.of(["a", "b"]) } };
  if (choose.chance(20)) return contentOperation(choose, kind);
  const path = choose.of(paths);
  const op = choose.of(["add", "add", "add", "replace", "remove", "test", "copy", "move"]);
  if (op === "remove") return { op, path };
  if (op === "copy" || op === "move") return { op, from: choose.of(paths), path };
  return { op, path, value: randomValue(choose, path) };
}

/** Replaces a part of the object with one of another object of the kind. */
function contentOperation(choose: Chooser, kind: FuzzKind): JsonObject {
  const fields = Object.entries(kind.content(choose, "a"));
  const [key, value] = fields.length === 0 ? ["data", {}] : choose.of(fields);
  return { op: "add", path: `/${key}`, value };
}

/** Metadata gets values of the right type: a real server drops the managedFields of a custom resource whose metadata it cannot read. */
function randomValue(choose: Chooser, path: string): JsonValue {
  if (path === "/metadata/finalizers") return choose.of([[], ["example.com/a"], ["bad"]]);
  if (/^\/metadata\/(labels|annotations)$/.test(path)) return choose.of([{}, { app: "a" }, { "bad key": "x" }]);
  if (path.startsWith("/metadata/")) return choose.of(["", "a", "b", "1", "Bad Name"]);
  return choose.chance(60)
    ? choose.of<JsonValue>(["a", "text", 1, 2, true, false, {}, { app: "a" }])
    : anyValue(choose);
}
