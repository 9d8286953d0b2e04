import type { JsonObject } from "@kubewright/core/json";
import { post, type RequestStep, subject } from "../test-case.js";
import { create, createSpec } from "./object-steps.js";
import { pods, secrets } from "./sample-objects.js";

const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const made = create(accounts, "a");
const ask = (spec: JsonObject, metadata: JsonObject = {}, name = "a"): RequestStep =>
  post(`${accounts}/${name}/token`, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata, spec });
const askBound = (kind: string, name: string, spec: JsonObject = {}): RequestStep =>
  ask({ boundObjectRef: { kind, apiVersion: "v1", name }, ...spec });
const createPod = (name: string, serviceAccountName: string): RequestStep =>
  createSpec(pods, name, {
    serviceAccountName,
    containers: [{ name: "main", image: "web:1" }],
    automountServiceAccountToken: false,
  });
const otherUid = "11111111-1111-1111-1111-111111111111";

/** TokenRequests of ServiceAccounts. */
export const tokens = subject("tokens", {
  "a TokenRequest signs a token with the requested expiration and audiences": {
    id: "d2c39e44",
    steps: [
      made,
      ask({}),
      ask({ expirationSeconds: 7_200, audiences: ["a", "b"] }),
      ask({ expirationSeconds: 3_607 }),
      ask({ audiences: [] }, { name: "a", namespace: "{ns}" }),
      post(`${accounts}/a/token?dryRun=All`, { spec: {} }),
      post(`${accounts}/a/token`, {}),
    ],
  },
  "an invalid TokenRequest is rejected": [
    made,
    ask({ expirationSeconds: 599 }),
    ask({ expirationSeconds: 0 }),
    ask({ expirationSeconds: 4_294_967_297 }),
    ask({}, { name: "b" }),
    ask({}, { namespace: "other" }),
    ask({}, { uid: otherUid }),
    ask({}, {}, "missing"),
    askBound("ConfigMap", "a"),
    ask({ boundObjectRef: { kind: "Deployment", apiVersion: "apps/v1", name: "a" } }),
    askBound("Pod", "missing"),
    ask({ boundObjectRef: {} }),
    post(`${accounts}/a/token`, { apiVersion: "v1", kind: "ConfigMap" }),
    post(`${accounts}/a/token`, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a" } }),
  ],
  "a token is bound to a pod, a secret or a node": [
    made,
    createPod("p", "a"),
    createPod("q", "default"),
    create(secrets, "s"),
    askBound("Pod", "p"),
    askBound("Pod", "p", { expirationSeconds: 3_607 }),
    askBound("Pod", "p", { expirationSeconds: 3_607, audiences: ["a"] }),
    ask({ boundObjectRef: { kind: "Pod", name: "p" } }),
    askBound("Pod", "q"),
    ask({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p", uid: otherUid } }),
    askBound("Secret", "s"),
    askBound("Node", "missing"),
  ],
});
