import { post, type Subject, subject, testCase } from "../test-case.js";
import { create } from "./object-steps.js";
import { pods } from "./sample-objects.js";

const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const made = create(accounts, "a");
const ask = (spec: object, metadata: object = {}, name = "a") =>
  post(`${accounts}/${name}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata,
    spec,
  } as never);
const pod = (name: string, serviceAccountName: string) => ({
  metadata: { name },
  spec: { serviceAccountName, containers: [{ name: "main", image: "web:1" }], automountServiceAccountToken: false },
});
const nobody = "11111111-1111-1111-1111-111111111111";

/** Tokens of service accounts. */
export const tokens: Subject = subject(
  "tokens",
  testCase(
    "a token is signed for a service account, for as long and for whom it is asked",
    made,
    ask({}),
    ask({ expirationSeconds: 7_200, audiences: ["a", "b"] }),
    ask({ expirationSeconds: 3_607 }),
    ask({ audiences: [] }, { name: "a", namespace: "{ns}" }),
    post(`${accounts}/a/token?dryRun=All`, { spec: {} }),
    post(`${accounts}/a/token`, {}),
  ),
  testCase(
    "a token that is asked for wrongly is refused",
    made,
    ask({ expirationSeconds: 599 }),
    ask({ expirationSeconds: 0 }),
    ask({ expirationSeconds: 4_294_967_297 }),
    ask({}, { name: "b" }),
    ask({}, { namespace: "other" }),
    ask({}, { uid: nobody }),
    ask({}, {}, "missing"),
    ask({ boundObjectRef: { kind: "ConfigMap", apiVersion: "v1", name: "a" } }),
    ask({ boundObjectRef: { kind: "Deployment", apiVersion: "apps/v1", name: "a" } }),
    ask({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "missing" } }),
    ask({ boundObjectRef: {} }),
    post(`${accounts}/a/token`, { apiVersion: "v1", kind: "ConfigMap" }),
    post(`${accounts}/a/token`, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a" } }),
  ),
  testCase(
    "a token is bound to a pod, a secret or a node",
    made,
    post(pods, pod("p", "a")),
    post(pods, pod("q", "default")),
    create("/api/v1/namespaces/{ns}/secrets", "s"),
    ask({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p" } }),
    ask({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p" }, expirationSeconds: 3_607 }),
    ask({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p" }, expirationSeconds: 3_607, audiences: ["a"] }),
    ask({ boundObjectRef: { kind: "Pod", name: "p" } }),
    ask({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "q" } }),
    ask({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p", uid: nobody } }),
    ask({ boundObjectRef: { kind: "Secret", apiVersion: "v1", name: "s" } }),
    ask({ boundObjectRef: { kind: "Node", apiVersion: "v1", name: "missing" } }),
  ),
);
