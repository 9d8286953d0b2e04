import type { JsonObject, JsonValue } from "@kubewright/core/json";
import {
  apply,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  type RequestStep,
  remove,
  strategicPatch,
  subject,
} from "../test-case.js";
import { create, createSpec, getTable, patchSpec, patchStatus, replace } from "./object-steps.js";
import { container, deployments, object, pods } from "./sample-objects.js";

const core = "/api/v1/namespaces/{ns}";
const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles";
const policies = "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies";
const slices = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices";
const namespace = "/api/v1/namespaces/{ns}-x";
const ingress = "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/i";

const balanced = { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } };

const scale = (name: string, replicas: number): JsonObject =>
  object("autoscaling/v1", "Scale", name, { spec: { replicas } });

const add = (path: string, value: JsonValue): JsonObject => ({ op: "add", path, value });
const set = (path: string, value: JsonValue): JsonObject => ({ op: "replace", path, value });
const drop = (path: string): JsonObject => ({ op: "remove", path });
const resize = (pod: string, ...operations: JsonObject[]): RequestStep =>
  jsonPatch(`${pods}/${pod}/resize`, operations);

/** The field `containers` of a pod with one container. */
const one = (resources: JsonObject, image = "b"): JsonObject => ({ containers: [{ name: "a", image, resources }] });
const labelledPod = (label: string, spec: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", labels: { a: label } },
  spec,
});

const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
/** The spec of a CSR whose private key was discarded. */
const askedSpec: JsonObject = {
  signerName: "example.com/signer",
  usages: ["client auth"],
  expirationSeconds: 3600,
  request:
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISE1HOENBUUF3RFRFTE1Ba0dBMVVFQXd3Q2JXVXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQwpBQVNobzE5MHkwSFFrT2NzRm9sTk1VcTlwUVh3VUdTUTh1MldldEM5SElDMXVPZzNOMEM3T1JXL1hJTUEvMkJQCi9iUEdKdFNOalRBMnNTWW1ET0oxYUYvR29BQXdDZ1lJS29aSXpqMEVBd0lEU0FBd1JRSWdHelE2Rkg0OEl2N1gKSVZ4UnBIcnFkN0J6YzYxUTdnQmdJN1dtT256ZVF2MENJUUN2MVlIT1I2NTdwUUVaZSt4djdCdURYcExDanR1RwpHRDIxNVl5M0ZESlhrUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=",
};
const clientSigner = "kubernetes.io/kube-apiserver-client";
/** The same, for the group `system:masters`. */
const ofMasters =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIaU1JR0tBZ0VBTUNneEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVEwd0N3WURWUVFEREFSaQpiM056TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFbkd5WEhFNDdTc2FFR0NVMkxEenh2WFhVCnhkVHZKcjRpSHhybm0yMGphSzY1VUljanpoUnIxczFDdVlya2szV1ZzMlp2NnNqeDlJRTNZaHBpUnMreWhLQUEKTUFvR0NDcUdTTTQ5QkFNQ0EwY0FNRVFDSUV0RWwyNUdjeDg1TnlxOHY3ME9TQUxtY001bHkzbXNycyt1aXlLYgpPMmU3QWlCY1cwaitkWlM3TGlLbzFhV3RKV05YR0hWL254enBSTFFwMXJvWEVsa2hFUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
const time = "2026-01-01T00:00:00Z";
const verdict = (type: string): JsonObject => ({ type, status: "True", reason: "x" });
const approve = (name: string, ...conditions: JsonObject[]): RequestStep =>
  mergePatch(`${requests}/${name}/approval`, { status: { conditions } });

/** Subresources of built-in kinds. */
export const kindSubresources = subject("kinds-subresources", {
  "an apply to a Scale owns the replicas and raises the generation": [
    post(
      deployments,
      object("apps/v1", "Deployment", "a", {
        spec: {
          selector: { matchLabels: { app: "a" } },
          template: { metadata: { labels: { app: "a" } }, spec: { containers: [container("a", "b")] } },
          replicas: 1,
        },
      }),
    ),
    apply(`${deployments}/a/scale?fieldManager=me`, scale("a", 2)),
    apply(`${deployments}/a/scale?fieldManager=me&force=true`, scale("a", 3), { fields: ["spec", "status"] }),
    get(`${deployments}/a`, { fields: ["spec"] }),
    apply(`${deployments}/a/scale?fieldManager=other`, scale("a", 4)),
    apply(`${deployments}/no/scale?fieldManager=me`, scale("no", 4)),
    jsonPatch(`${deployments}/a/scale`, [set("/spec/replicas", 5)], { fields: ["spec", "status"] }),
    put(`${deployments}/a/scale`, scale("a", -1)),
    put(`${deployments}/a/scale`, scale("b", 1)),
  ],
  "a Pod is resized within its rules": [
    createSpec(pods, "p", one({ requests: { cpu: "1" }, limits: { cpu: "2" } })),
    patchSpec(`${pods}/p/resize`, one({ requests: { cpu: "3" }, limits: { cpu: "2" } })),
    mergePatch(`${pods}/p/resize`, {
      metadata: { labels: { ignored: "x" } },
      spec: one({ requests: { cpu: "2" }, limits: { cpu: "2" } }, "other"),
    }),
    get(`${pods}/p`),
    get(`${pods}/p/resize`),
    patchSpec(`${pods}/p`, one({ requests: { cpu: "1" }, limits: { cpu: "2" } }), { fields: ["code", "reason"] }),
  ],
  "the client that resizes a Pod owns every field it sent": [
    createSpec(pods, "p", {
      containers: [container("a", "b", { resources: { requests: { cpu: "1" } } }), container("c", "d")],
    }),
    mergePatch(`${pods}/p/resize?fieldManager=r`, {
      spec: { nodeName: "n", hostname: "h" },
      status: { phase: "Failed" },
    }),
    strategicPatch(`${pods}/p/resize?fieldManager=r`, {
      spec: { containers: [{ name: "a", resources: { requests: { cpu: "2" } } }] },
    }),
    apply(`${pods}/p/resize?fieldManager=s`, labelledPod("b", one({ requests: { cpu: "2" } }, "x"))),
    apply(`${pods}/p/resize?fieldManager=s&force=true`, labelledPod("b", one({ requests: { cpu: "2" } }, "x"))),
    resize("p", drop("/spec/containers/1")),
    resize("p", set("/spec/containers/1/name", "z")),
    resize("p", add("/spec/containers/1/resources", { limits: { cpu: "1" } })),
    resize("p", drop("/spec/containers/0/resources/requests")),
    resize("p", set("/spec/containers/0/resources", { requests: { "ephemeral-storage": "1Gi" } })),
    get(`${pods}/p`),
  ],
  "a resize that changes more than resources is rejected": [
    createSpec(pods, "p", {
      initContainers: [
        container("i", "b", { resources: { requests: { cpu: "1" }, limits: { cpu: "2" } } }),
        container("s", "b", { restartPolicy: "Always", resources: { requests: { cpu: "1" } } }),
      ],
      ...one({ requests: { cpu: "1", "example.com/x": "1" }, limits: { "example.com/x": "1" } }),
    }),
    createSpec(pods, "q", { containers: [container("a", "b")] }),
    createSpec(pods, "w", { os: { name: "windows" }, ...one({ requests: { cpu: "1" } }) }),
    createSpec(pods, "l", { resources: { requests: { cpu: "2" } }, containers: [container("a", "b")] }),
    resize(
      "p",
      set("/spec/containers/0/resources/requests/cpu", "3"),
      set("/spec/initContainers/0/resources/requests/cpu", "2"),
      set("/spec/initContainers/1/resources/requests/cpu", "2"),
    ),
    resize(
      "p",
      set("/spec/containers/0/resizePolicy", [{ resourceName: "cpu", restartPolicy: "RestartContainer" }]),
      add("/spec/initContainers/0/resizePolicy", [{ resourceName: "cpu", restartPolicy: "RestartContainer" }]),
      add("/spec/initContainers/1/resizePolicy", [{ resourceName: "cpu", restartPolicy: "NotRequired" }]),
    ),
    resize(
      "p",
      add("/spec/containers/0/resources/requests/ephemeral-storage", "1Gi"),
      add("/spec/initContainers/0/resources/requests/ephemeral-storage", "1Gi"),
      add("/spec/initContainers/1/resources/requests/ephemeral-storage", "1Gi"),
    ),
    resize("p", drop("/spec/initContainers/1"), set("/spec/containers/0/name", "z")),
    resize("p", set("/spec/initContainers/1/name", "z")),
    resize("q", add("/spec/containers/0/resources", { requests: { cpu: "1" } })),
    resize("w", set("/spec/containers/0/resources/requests/cpu", "3")),
    resize("l", set("/spec/resources/requests/cpu", "3")),
    resize("l", drop("/spec/resources/requests/cpu")),
    resize("l", drop("/spec/resources")),
    patchStatus(`${pods}/p`, {
      containerStatuses: [container("a", "b", { imageID: "", ready: true, restartCount: 0, state: { running: {} } })],
    }),
    resize("p", set("/spec/containers/0/resources/requests/cpu", "4")),
    resize("p", add("/spec/containers/0/resources/limits", { cpu: "8", "example.com/x": "1" })),
  ],
  "the client that adds ephemeral containers owns every field it sent": [
    createSpec(pods, "p", { containers: [container("a", "b")] }),
    strategicPatch(`${pods}/p/ephemeralcontainers?fieldManager=r`, {
      metadata: { labels: { a: "b" } },
      spec: { hostname: "h", ephemeralContainers: [container("e", "f")] },
    }),
    apply(
      `${pods}/p/ephemeralcontainers?fieldManager=s`,
      labelledPod("c", { ephemeralContainers: [container("e", "f")] }),
    ),
    get(`${pods}/p`),
  ],
  "an empty list in the request is owned where a real server serializes it": [
    create(roles, "a", { rules: [] }),
    replace(roles, "b", { rules: [] }),
    replace(roles, "c"),
    replace(roles, "c", { rules: [] }),
    replace(roles, "a"),
    create(roles, "d", { rules: null }),
    apply(`${roles}/e?fieldManager=x`, object("rbac.authorization.k8s.io/v1", "Role", "e", { rules: [] })),
    createSpec(policies, "n", { podSelector: {}, ingress: [], policyTypes: [] }),
    create(`${core}/endpoints`, "e", { subsets: [] }),
    create(slices, "e", { addressType: "IPv4", endpoints: [], ports: [] }),
    create(`${core}/serviceaccounts`, "x", { secrets: [] }),
  ],
  "a CertificateSigningRequest is approved through the approval subresource": [
    createSpec(requests, "{ns}", {}),
    createSpec(requests, "{ns}", { request: "eA==", signerName: "Bad", usages: ["odd"] }),
    createSpec(requests, "{ns}", askedSpec),
    mergePatch(`${requests}/{ns}`, { spec: { signerName: "example.com/other" }, status: { certificate: "eA==" } }),
    patchStatus(`${requests}/{ns}`, { conditions: [verdict("Approved")] }),
    approve("{ns}", verdict("Approved")),
    getTable(`${requests}/{ns}`),
    approve("{ns}"),
    approve("{ns}", verdict("Approved"), verdict("Denied")),
    remove(`${requests}/{ns}`),
  ],
  "only the approval subresource changes the conditions of a CertificateSigningRequest": [
    createSpec(requests, "{ns}-v", askedSpec, { fields: ["kind"] }),
    {
      ...approve("{ns}-v", { ...verdict("Approved"), lastUpdateTime: time, lastTransitionTime: time }),
      fields: ["status"],
    },
    jsonPatch(`${requests}/{ns}-v/status`, [set("/status/conditions/0/reason", "y")], {
      fields: ["status", "message"],
    }),
    remove(`${requests}/{ns}-v`, undefined, { fields: ["kind", "status"] }),
  ],
  "the server sets the requesting user of a CertificateSigningRequest and rejects system:masters for kube-apiserver-client":
    [
      createSpec(
        requests,
        "{ns}",
        { ...askedSpec, username: "else", uid: "1", groups: ["g"], extra: { a: ["b"] } },
        { fields: ["spec.username", "spec.groups", "spec.extra"] },
      ),
      patchSpec(`${requests}/{ns}`, { username: "else" }, { fields: ["spec.username"] }),
      createSpec(requests, "{ns}-m", { ...askedSpec, signerName: clientSigner, request: ofMasters }),
      createSpec(requests, "{ns}-n", { ...askedSpec, request: ofMasters }, { fields: ["metadata.name", "status"] }),
      remove(`${requests}/{ns}`, undefined, { fields: ["status"] }),
      remove(`${requests}/{ns}-n`, undefined, { fields: ["status"] }),
    ],
  "the finalizers of a Namespace are set through the finalize subresource": [
    createSpec("/api/v1/namespaces", "{ns}-x", { finalizers: ["a.b/c"] }),
    patchSpec(namespace, { finalizers: ["d.e/f"] }),
    put(`${namespace}/finalize`, object("v1", "Namespace", "{ns}-x", { spec: { finalizers: ["Bad Name"] } })),
    put(`${namespace}/finalize`, object("v1", "Namespace", "{ns}-x", { spec: { finalizers: ["kubernetes"] } })),
    patchStatus(namespace, { conditions: [{ type: "x", status: "True" }] }),
    remove(namespace, undefined, { fields: ["status"] }),
  ],
  "the status of kinds without validation is a subresource": [
    create("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses", "i", {
      spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
      status: balanced,
    }),
    mergePatch(ingress, { status: balanced }),
    mergePatch(`${ingress}/status`, { spec: { ingressClassName: "x" }, status: balanced }),
    patchSpec(ingress, { ingressClassName: "y" }),
  ],
  "a Binding may be posted to the bindings collection": [
    createSpec(pods, "a", { containers: [{ name: "a", image: "a" }] }),
    create(`${core}/bindings`, "none", { target: { name: "n" } }),
    create(`${core}/bindings`, "a", { target: {} }),
    post(`${core}/bindings`, { metadata: {}, target: { name: "n" } }),
    create(`${core}/bindings`, "a", { target: { name: "n" } }),
    create(`${core}/bindings`, "a", { target: { name: "m" } }),
    get(`${pods}/a`, { fields: ["spec.nodeName"] }),
    get(`${core}/bindings`),
    get(`${core}/bindings/a`),
    remove(`${core}/bindings/a`),
  ],
});
