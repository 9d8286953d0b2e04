import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, type Step, type Subject, testCase, wordingCase } from "../test-case.js";
import { createSpec, patchSpec } from "./object-steps.js";

const core = "/api/v1/namespaces/{ns}";
const ranges = `${core}/limitranges`;
const pods = `${core}/pods`;
const claims = `${core}/persistentvolumeclaims`;
const outcome = { fields: ["metadata.name", "message", "reason", "details", "code"] };
const given = { fields: ["metadata.annotations", "spec.containers", "spec.initContainers", "status.qosClass"] };

/** A range; it counts from when the server has taken it in, which a dry run shows that it refuses. */
function range(items: JsonObject[], refused: Step): Step[] {
  return [createSpec(ranges, "r", { limits: items }), { ...refused, until: { status: 403 }, silent: true } as Step];
}

function pod(name: string, resources: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec: { containers: [{ name: "a", image: "b", resources }], ...spec } };
}

function claim(name: string, resources: JsonObject): JsonObject {
  return { metadata: { name }, spec: { accessModes: ["ReadWriteOnce"], resources } };
}

const hungry = post(`${pods}?dryRun=All`, pod("x", { limits: { cpu: "100" } }));

/** What limit ranges give to pods that do not say, and what they refuse. */
export const limitRangeCases: Subject = {
  name: "limit-ranges",
  cases: [
    testCase(
      "containers that do not say get what a limit range has for them, and an annotation tells of it",
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
      post(pods, pod("a"), given),
      post(pods, pod("b", { limits: { cpu: "1" } }), given),
      post(pods, pod("c", { requests: { cpu: "1500m" }, limits: { memory: "1Gi" } }), given),
      post(
        pods,
        pod(
          "d",
          { limits: { cpu: "1", memory: "1Gi", "ephemeral-storage": "1Gi" } },
          {
            initContainers: [
              { name: "i", image: "b" },
              { name: "s", image: "b", restartPolicy: "Always", resources: { requests: { cpu: "1" } } },
            ],
          },
        ),
        given,
      ),
      post(pods, { ...pod("e"), metadata: { name: "e", annotations: { "kubernetes.io/limit-ranger": "x" } } }, given),
      get(`${pods}/a`, { fields: ["metadata.managedFields"] }),
    ),
    wordingCase(
      "a container may ask for no less than the least, and no more than the most",
      ...range([{ type: "Container", min: { cpu: "100m" }, max: { cpu: "1" } }], hungry),
      post(pods, pod("a", { requests: { cpu: "99m" } }), outcome),
      post(pods, pod("a", { requests: { cpu: "100m" } }), outcome),
      post(pods, pod("b", { limits: { cpu: "50m" } }), outcome),
      post(pods, pod("b", { limits: { cpu: "1001m" } }), outcome),
      post(pods, pod("b", { requests: { cpu: "0.9" }, limits: { cpu: "0.8" } }), outcome),
      post(pods, pod("b", { requests: { cpu: "500m" }, limits: { cpu: "1000m" } }), outcome),
      post(
        pods,
        pod(
          "c",
          {},
          { initContainers: [{ name: "i", image: "b", resources: { limits: { cpu: "3" }, requests: { cpu: "2" } } }] },
        ),
        outcome,
      ),
      post(`${pods}?dryRun=All`, pod("c", { limits: { cpu: "4e3m" } }), outcome),
      post(
        pods,
        { metadata: { generateName: "g-" }, spec: { containers: [{ name: "a", image: "b" }] } },
        { fields: ["metadata.generateName", "spec.containers"] },
      ),
      post(
        pods,
        pod(
          "e",
          {},
          { containers: ["a", "b"].map((name) => ({ name, image: "b", resources: { limits: { cpu: "5" } } })) },
        ),
        outcome,
      ),
      post(
        pods,
        pod(
          "f",
          {},
          { containers: ["5", "6"].map((cpu) => ({ name: `c${cpu}`, image: "b", resources: { limits: { cpu } } })) },
        ),
        outcome,
      ),
    ),
    wordingCase(
      "limits may be so many times what is asked for, and no more",
      ...range([{ type: "Container", maxLimitRequestRatio: { cpu: "2" } }], post(`${pods}?dryRun=All`, pod("x"))),
      post(pods, pod("a"), outcome),
      post(pods, pod("a", { requests: { cpu: "1" } }), outcome),
      post(pods, pod("a", { requests: { cpu: "0" }, limits: { cpu: "1" } }), outcome),
      post(pods, pod("a", { requests: { cpu: "300m" }, limits: { cpu: "700m" } }), outcome),
      post(pods, pod("a", { requests: { cpu: "350m" }, limits: { cpu: "700m" } }), outcome),
    ),
    wordingCase(
      "a pod as a whole is held to its own least and most",
      ...range(
        [{ type: "Pod", min: { memory: "10Mi" }, max: { memory: "100Mi" }, maxLimitRequestRatio: { memory: "4" } }],
        post(`${pods}?dryRun=All`, pod("x", { limits: { memory: "1Gi" } })),
      ),
      post(pods, pod("a", { requests: { memory: "20Mi" } }), outcome),
      post(pods, pod("a", { requests: { memory: "5Mi" }, limits: { memory: "20Mi" } }), outcome),
      post(
        pods,
        pod(
          "a",
          { limits: { memory: "60Mi" } },
          {
            initContainers: [
              { name: "i", image: "b", restartPolicy: "Always", resources: { limits: { memory: "50Mi" } } },
            ],
          },
        ),
        outcome,
      ),
      post(
        pods,
        pod(
          "a",
          { limits: { memory: "60Mi" } },
          { initContainers: [{ name: "i", image: "b", resources: { limits: { memory: "90Mi" } } }] },
        ),
        outcome,
      ),
      post(
        pods,
        pod(
          "b",
          { limits: { memory: "50Mi" } },
          { resources: { limits: { memory: "200Mi" }, requests: { memory: "100Mi" } } },
        ),
        outcome,
      ),
      post(
        pods,
        pod(
          "b",
          { limits: { memory: "50Mi" } },
          { resources: { limits: { memory: "90Mi" }, requests: { memory: "60Mi" } } },
        ),
        outcome,
      ),
      mergePatch(`${pods}/b`, { metadata: { labels: { a: "b" } } }, outcome),
    ),
    wordingCase(
      "a claim is held to what it asks for, also when it is changed",
      ...range(
        [{ type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "5Gi" } }],
        post(`${claims}?dryRun=All`, claim("x", { requests: { storage: "9Gi" } })),
      ),
      post(claims, claim("a", { requests: { storage: "500Mi" } }), outcome),
      post(claims, claim("a", { requests: { storage: "6Gi" } }), outcome),
      post(claims, claim("a", { requests: { storage: "2Gi" } }), outcome),
      mergePatch(`${claims}/a`, { metadata: { labels: { a: "b" } } }, outcome),
      patchSpec(`${ranges}/r`, {
        limits: [{ type: "PersistentVolumeClaim", min: { storage: "3Gi" }, max: { storage: "5Gi" } }],
      }),
      {
        ...post(`${claims}?dryRun=All`, claim("x", { requests: { storage: "2Gi" } })),
        until: { status: 403 },
        silent: true,
      } as Step,
      mergePatch(`${claims}/a`, { metadata: { labels: { a: "c" } } }, outcome),
    ),
    testCase(
      "amounts of a running pod are changed within the same limits",
      post(pods, pod("a", { requests: { cpu: "1" } }), outcome),
      ...range([{ type: "Container", default: { cpu: "3", memory: "1Gi" }, max: { cpu: "3" } }], hungry),
      patchSpec(
        `${pods}/a/resize`,
        { containers: [{ name: "a", image: "b", resources: { requests: { cpu: "4" } } }] },
        outcome,
      ),
      patchSpec(
        `${pods}/a/resize`,
        { containers: [{ name: "a", image: "b", resources: { requests: { cpu: "2" } } }] },
        { fields: [...outcome.fields, "spec.containers", "metadata.annotations"] },
      ),
    ),
    wordingCase(
      "what a pod gets comes before what it is refused for, and after what it is",
      ...range([{ type: "Container", max: { cpu: "1" } }], hungry),
      post(pods, pod("a", { limits: { cpu: "5" } }, { restartPolicy: "Sometimes" }), outcome),
      post(pods, pod("a", { limits: { cpu: "5" } }, { priorityClassName: "none" }), outcome),
      post(pods, pod("a", { requests: { cpu: "2" } }), outcome),
    ),
  ],
};
