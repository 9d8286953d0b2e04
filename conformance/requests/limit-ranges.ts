import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, type RequestStep, subject, wording } from "../test-case.js";
import { createSpec, patchSpec } from "./object-steps.js";
import { claims, pods } from "./sample-objects.js";

const ranges = "/api/v1/namespaces/{ns}/limitranges";
const outcome = { fields: ["metadata.name", "message", "reason", "details", "code"] };
const given = { fields: ["metadata.annotations", "spec.containers", "spec.initContainers", "status.qosClass"] };

/** Sends a dry run, without comparing it, until the server rejects it. */
const untilRejected = (step: RequestStep): RequestStep => ({ ...step, until: { status: 403 }, silent: true });

/** Creates a limit range, and waits until the server enforces it. */
function range(items: JsonObject[], rejected: RequestStep): RequestStep[] {
  return [createSpec(ranges, "r", { limits: items }), untilRejected(rejected)];
}

const container = (name: string, resources: JsonObject, fields: JsonObject = {}): JsonObject => ({
  name,
  image: "b",
  ...fields,
  resources,
});
const podSpec = (resources: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  containers: [container("a", resources)],
  ...spec,
});
const createPod = (name: string, resources?: JsonObject, spec?: JsonObject): RequestStep =>
  createSpec(pods, name, podSpec(resources, spec), outcome);
const seePod = (name: string, resources?: JsonObject, spec?: JsonObject): RequestStep =>
  createSpec(pods, name, podSpec(resources, spec), given);
const tryPod = (resources?: JsonObject): RequestStep => createSpec(`${pods}?dryRun=All`, "x", podSpec(resources));
const claimSpec = (storage: string): JsonObject => ({
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage } },
});
const createClaim = (storage: string): RequestStep => createSpec(claims, "a", claimSpec(storage), outcome);
const tryClaim = (storage: string): RequestStep => createSpec(`${claims}?dryRun=All`, "x", claimSpec(storage));

const memory = (limit: string): JsonObject => ({ limits: { memory: limit } });
const hungry = tryPod({ limits: { cpu: "100" } });

/** The defaults that limit ranges set on pods, and the pods that they reject. */
export const limitRangeCases = subject("limit-ranges", {
  "a LimitRange sets default requests and limits and adds its annotation": [
    ...range(
      [
        {
          type: "Container",
          max: { cpu: "2" },
          default: { memory: "64Mi" },
          defaultRequest: { cpu: "100m", memory: "32Mi", "ephemeral-storage": "1Gi" },
        },
      ],
      hungry,
    ),
    seePod("a"),
    seePod("b", { limits: { cpu: "1" } }),
    seePod("c", { requests: { cpu: "1500m" }, limits: { memory: "1Gi" } }),
    seePod(
      "d",
      { limits: { cpu: "1", memory: "1Gi", "ephemeral-storage": "1Gi" } },
      {
        initContainers: [
          { name: "i", image: "b" },
          container("s", { requests: { cpu: "1" } }, { restartPolicy: "Always" }),
        ],
      },
    ),
    post(pods, { metadata: { name: "e", annotations: { "kubernetes.io/limit-ranger": "x" } }, spec: podSpec() }, given),
    get(`${pods}/a`, { fields: ["metadata.managedFields"] }),
  ],
  "a container must stay within the LimitRange's min and max": wording(
    ...range([{ type: "Container", min: { cpu: "100m" }, max: { cpu: "1" } }], hungry),
    createPod("a", { requests: { cpu: "99m" } }),
    createPod("a", { requests: { cpu: "100m" } }),
    createPod("b", { limits: { cpu: "50m" } }),
    createPod("b", { limits: { cpu: "1001m" } }),
    createPod("b", { requests: { cpu: "0.9" }, limits: { cpu: "0.8" } }),
    createPod("b", { requests: { cpu: "500m" }, limits: { cpu: "1000m" } }),
    createPod("c", {}, { initContainers: [container("i", { limits: { cpu: "3" }, requests: { cpu: "2" } })] }),
    createSpec(`${pods}?dryRun=All`, "c", podSpec({ limits: { cpu: "4e3m" } }), outcome),
    post(
      pods,
      { metadata: { generateName: "g-" }, spec: { containers: [{ name: "a", image: "b" }] } },
      { fields: ["metadata.generateName", "spec.containers"] },
    ),
    createPod("e", {}, { containers: ["a", "b"].map((name) => container(name, { limits: { cpu: "5" } })) }),
    createPod("f", {}, { containers: ["5", "6"].map((cpu) => container(`c${cpu}`, { limits: { cpu } })) }),
  ),
  "the limit-to-request ratio must stay within maxLimitRequestRatio": wording(
    ...range([{ type: "Container", maxLimitRequestRatio: { cpu: "2" } }], tryPod()),
    createPod("a"),
    createPod("a", { requests: { cpu: "1" } }),
    createPod("a", { requests: { cpu: "0" }, limits: { cpu: "1" } }),
    createPod("a", { requests: { cpu: "300m" }, limits: { cpu: "700m" } }),
    createPod("a", { requests: { cpu: "350m" }, limits: { cpu: "700m" } }),
  ),
  "a pod must stay within the LimitRange's pod min and max": wording(
    ...range(
      [{ type: "Pod", min: { memory: "10Mi" }, max: { memory: "100Mi" }, maxLimitRequestRatio: { memory: "4" } }],
      tryPod(memory("1Gi")),
    ),
    createPod("a", { requests: { memory: "20Mi" } }),
    createPod("a", { requests: { memory: "5Mi" }, limits: { memory: "20Mi" } }),
    createPod("a", memory("60Mi"), { initContainers: [container("i", memory("50Mi"), { restartPolicy: "Always" })] }),
    createPod("a", memory("60Mi"), { initContainers: [container("i", memory("90Mi"))] }),
    createPod("b", memory("50Mi"), { resources: { limits: { memory: "200Mi" }, requests: { memory: "100Mi" } } }),
    createPod("b", memory("50Mi"), { resources: { limits: { memory: "90Mi" }, requests: { memory: "60Mi" } } }),
    mergePatch(`${pods}/b`, { metadata: { labels: { a: "b" } } }, outcome),
  ),
  "a PersistentVolumeClaim must stay within the LimitRange, also on update": wording(
    ...range([{ type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "5Gi" } }], tryClaim("9Gi")),
    createClaim("500Mi"),
    createClaim("6Gi"),
    createClaim("2Gi"),
    mergePatch(`${claims}/a`, { metadata: { labels: { a: "b" } } }, outcome),
    patchSpec(`${ranges}/r`, {
      limits: [{ type: "PersistentVolumeClaim", min: { storage: "3Gi" }, max: { storage: "5Gi" } }],
    }),
    untilRejected(tryClaim("2Gi")),
    mergePatch(`${claims}/a`, { metadata: { labels: { a: "c" } } }, outcome),
  ),
  "a resize must stay within the LimitRange": [
    createPod("a", { requests: { cpu: "1" } }),
    ...range([{ type: "Container", default: { cpu: "3", memory: "1Gi" }, max: { cpu: "3" } }], hungry),
    patchSpec(`${pods}/a/resize`, podSpec({ requests: { cpu: "4" } }), outcome),
    patchSpec(`${pods}/a/resize`, podSpec({ requests: { cpu: "2" } }), {
      fields: [...outcome.fields, "spec.containers", "metadata.annotations"],
    }),
  ],
  "LimitRange defaults precede validation, and limits are checked last": wording(
    ...range([{ type: "Container", max: { cpu: "1" } }], hungry),
    createPod("a", { limits: { cpu: "5" } }, { restartPolicy: "Sometimes" }),
    createPod("a", { limits: { cpu: "5" } }, { priorityClassName: "none" }),
    createPod("a", { requests: { cpu: "2" } }),
  ),
});
