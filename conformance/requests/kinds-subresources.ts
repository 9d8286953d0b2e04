import type { JsonObject } from "@kubewright/core/json";
import {
  apply,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  type Subject,
  strategicPatch,
  testCase,
} from "../test-case.js";
import { create, createSpec, patchSpec, patchStatus, replace } from "./object-steps.js";
import { container, object } from "./sample-objects.js";

const apps = "/apis/apps/v1/namespaces/{ns}";
const pods = "/api/v1/namespaces/{ns}/pods";
const deployment = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "a", image: "b" }] } },
    ...spec,
  },
});
const scale = (name: string, replicas: number): JsonObject => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name },
  spec: { replicas },
});

const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
/** A request that a key made which nobody has any more. */
const askedSpec: JsonObject = {
  signerName: "example.com/signer",
  usages: ["client auth"],
  expirationSeconds: 3600,
  request:
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISE1HOENBUUF3RFRFTE1Ba0dBMVVFQXd3Q2JXVXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQwpBQVNobzE5MHkwSFFrT2NzRm9sTk1VcTlwUVh3VUdTUTh1MldldEM5SElDMXVPZzNOMEM3T1JXL1hJTUEvMkJQCi9iUEdKdFNOalRBMnNTWW1ET0oxYUYvR29BQXdDZ1lJS29aSXpqMEVBd0lEU0FBd1JRSWdHelE2Rkg0OEl2N1gKSVZ4UnBIcnFkN0J6YzYxUTdnQmdJN1dtT256ZVF2MENJUUN2MVlIT1I2NTdwUUVaZSt4djdCdURYcExDanR1RwpHRDIxNVl5M0ZESlhrUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=",
};
const asked: JsonObject = { metadata: { name: "{ns}" }, spec: askedSpec };
const clientSigner = "kubernetes.io/kube-apiserver-client";
/** The same, for the group `system:masters`. */
const ofMasters =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIaU1JR0tBZ0VBTUNneEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVEwd0N3WURWUVFEREFSaQpiM056TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFbkd5WEhFNDdTc2FFR0NVMkxEenh2WFhVCnhkVHZKcjRpSHhybm0yMGphSzY1VUljanpoUnIxczFDdVlya2szV1ZzMlp2NnNqeDlJRTNZaHBpUnMreWhLQUEKTUFvR0NDcUdTTTQ5QkFNQ0EwY0FNRVFDSUV0RWwyNUdjeDg1TnlxOHY3ME9TQUxtY001bHkzbXNycyt1aXlLYgpPMmU3QWlCY1cwaitkWlM3TGlLbzFhV3RKV05YR0hWL254enBSTFFwMXJvWEVsa2hFUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

/** What lies below workloads. */
export const kindSubresources: Subject = {
  name: "kinds-subresources",
  cases: [
    testCase(
      "an apply to a scale owns the replicas and counts a generation",
      post(`${apps}/deployments`, deployment("a", { replicas: 1 })),
      apply(`${apps}/deployments/a/scale?fieldManager=me`, scale("a", 2)),
      apply(`${apps}/deployments/a/scale?fieldManager=me&force=true`, scale("a", 3), { fields: ["spec", "status"] }),
      get(`${apps}/deployments/a`, { fields: ["spec"] }),
      apply(`${apps}/deployments/a/scale?fieldManager=other`, scale("a", 4)),
      apply(`${apps}/deployments/no/scale?fieldManager=me`, scale("no", 4)),
      jsonPatch(`${apps}/deployments/a/scale`, [{ op: "replace", path: "/spec/replicas", value: 5 }], {
        fields: ["spec", "status"],
      }),
      put(`${apps}/deployments/a/scale`, scale("a", -1)),
      put(`${apps}/deployments/a/scale`, scale("b", 1)),
    ),
    testCase(
      "a Pod is resized within its rules",
      createSpec(pods, "p", {
        containers: [{ name: "a", image: "b", resources: { requests: { cpu: "1" }, limits: { cpu: "2" } } }],
      }),
      patchSpec(`${pods}/p/resize`, {
        containers: [{ name: "a", image: "b", resources: { requests: { cpu: "3" }, limits: { cpu: "2" } } }],
      }),
      mergePatch(`${pods}/p/resize`, {
        metadata: { labels: { ignored: "x" } },
        spec: {
          containers: [{ name: "a", image: "other", resources: { requests: { cpu: "2" }, limits: { cpu: "2" } } }],
        },
      }),
      get(`${pods}/p`),
    ),
    testCase(
      "who resizes a Pod owns what was sent, whether it counts or not",
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
      apply(`${pods}/p/resize?fieldManager=s`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p", labels: { a: "b" } },
        spec: { containers: [{ name: "a", image: "x", resources: { requests: { cpu: "2" } } }] },
      }),
      apply(`${pods}/p/resize?fieldManager=s&force=true`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p", labels: { a: "b" } },
        spec: { containers: [{ name: "a", image: "x", resources: { requests: { cpu: "2" } } }] },
      }),
      jsonPatch(`${pods}/p/resize`, [{ op: "remove", path: "/spec/containers/1" }]),
      jsonPatch(`${pods}/p/resize`, [{ op: "replace", path: "/spec/containers/1/name", value: "z" }]),
      jsonPatch(`${pods}/p/resize`, [
        { op: "add", path: "/spec/containers/1/resources", value: { limits: { cpu: "1" } } },
      ]),
      jsonPatch(`${pods}/p/resize`, [{ op: "remove", path: "/spec/containers/0/resources/requests" }]),
      jsonPatch(`${pods}/p/resize`, [
        { op: "replace", path: "/spec/containers/0/resources", value: { requests: { "ephemeral-storage": "1Gi" } } },
      ]),
      get(`${pods}/p`),
    ),
    testCase(
      "a resize that changes more than amounts is refused",
      createSpec(pods, "p", {
        initContainers: [
          container("i", "b", { resources: { requests: { cpu: "1" }, limits: { cpu: "2" } } }),
          container("s", "b", { restartPolicy: "Always", resources: { requests: { cpu: "1" } } }),
        ],
        containers: [
          container("a", "b", {
            resources: { requests: { cpu: "1", "example.com/x": "1" }, limits: { "example.com/x": "1" } },
          }),
        ],
      }),
      createSpec(pods, "q", { containers: [{ name: "a", image: "b" }] }),
      createSpec(pods, "w", {
        os: { name: "windows" },
        containers: [{ name: "a", image: "b", resources: { requests: { cpu: "1" } } }],
      }),
      createSpec(pods, "l", { resources: { requests: { cpu: "2" } }, containers: [{ name: "a", image: "b" }] }),
      jsonPatch(`${pods}/p/resize`, [
        { op: "replace", path: "/spec/containers/0/resources/requests/cpu", value: "3" },
        { op: "replace", path: "/spec/initContainers/0/resources/requests/cpu", value: "2" },
        { op: "replace", path: "/spec/initContainers/1/resources/requests/cpu", value: "2" },
      ]),
      jsonPatch(`${pods}/p/resize`, [
        {
          op: "replace",
          path: "/spec/containers/0/resizePolicy",
          value: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }],
        },
        {
          op: "add",
          path: "/spec/initContainers/0/resizePolicy",
          value: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }],
        },
        {
          op: "add",
          path: "/spec/initContainers/1/resizePolicy",
          value: [{ resourceName: "cpu", restartPolicy: "NotRequired" }],
        },
      ]),
      jsonPatch(`${pods}/p/resize`, [
        { op: "add", path: "/spec/containers/0/resources/requests/ephemeral-storage", value: "1Gi" },
        { op: "add", path: "/spec/initContainers/0/resources/requests/ephemeral-storage", value: "1Gi" },
        { op: "add", path: "/spec/initContainers/1/resources/requests/ephemeral-storage", value: "1Gi" },
      ]),
      jsonPatch(`${pods}/p/resize`, [
        { op: "remove", path: "/spec/initContainers/1" },
        { op: "replace", path: "/spec/containers/0/name", value: "z" },
      ]),
      jsonPatch(`${pods}/p/resize`, [{ op: "replace", path: "/spec/initContainers/1/name", value: "z" }]),
      jsonPatch(`${pods}/q/resize`, [
        { op: "add", path: "/spec/containers/0/resources", value: { requests: { cpu: "1" } } },
      ]),
      jsonPatch(`${pods}/w/resize`, [{ op: "replace", path: "/spec/containers/0/resources/requests/cpu", value: "3" }]),
      jsonPatch(`${pods}/l/resize`, [{ op: "replace", path: "/spec/resources/requests/cpu", value: "3" }]),
      jsonPatch(`${pods}/l/resize`, [{ op: "remove", path: "/spec/resources/requests/cpu" }]),
      jsonPatch(`${pods}/l/resize`, [{ op: "remove", path: "/spec/resources" }]),
      patchStatus(`${pods}/p`, {
        containerStatuses: [container("a", "b", { imageID: "", ready: true, restartCount: 0, state: { running: {} } })],
      }),
      jsonPatch(`${pods}/p/resize`, [{ op: "replace", path: "/spec/containers/0/resources/requests/cpu", value: "4" }]),
      jsonPatch(`${pods}/p/resize`, [
        { op: "add", path: "/spec/containers/0/resources/limits", value: { cpu: "8", "example.com/x": "1" } },
      ]),
    ),
    testCase(
      "who adds ephemeral containers owns what was sent, whether it counts or not",
      createSpec(pods, "p", { containers: [{ name: "a", image: "b" }] }),
      strategicPatch(`${pods}/p/ephemeralcontainers?fieldManager=r`, {
        metadata: { labels: { a: "b" } },
        spec: { hostname: "h", ephemeralContainers: [{ name: "e", image: "f" }] },
      }),
      apply(`${pods}/p/ephemeralcontainers?fieldManager=s`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p", labels: { a: "c" } },
        spec: { ephemeralContainers: [{ name: "e", image: "f" }] },
      }),
      get(`${pods}/p`),
    ),
    testCase(
      "an empty list that is sent has an owner where a real server prints it",
      create("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "a", { rules: [] }),
      replace("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "b", { rules: [] }),
      replace("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "c"),
      replace("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "c", { rules: [] }),
      replace("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "a"),
      create("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", "d", { rules: null }),
      apply(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles/e?fieldManager=x",
        object("rbac.authorization.k8s.io/v1", "Role", "e", { rules: [] }),
      ),
      createSpec("/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies", "n", {
        podSelector: {},
        ingress: [],
        policyTypes: [],
      }),
      create("/api/v1/namespaces/{ns}/endpoints", "e", { subsets: [] }),
      create("/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices", "e", {
        addressType: "IPv4",
        endpoints: [],
        ports: [],
      }),
      create("/api/v1/namespaces/{ns}/serviceaccounts", "x", { secrets: [] }),
    ),
    testCase(
      "a CertificateSigningRequest is approved on a path of its own",
      createSpec(requests, "{ns}", {}),
      createSpec(requests, "{ns}", { request: "eA==", signerName: "Bad", usages: ["odd"] }),
      post(requests, asked),
      mergePatch(`${requests}/{ns}`, { spec: { signerName: "example.com/other" }, status: { certificate: "eA==" } }),
      patchStatus(`${requests}/{ns}`, { conditions: [{ type: "Approved", status: "True", reason: "x" }] }),
      mergePatch(`${requests}/{ns}/approval`, {
        status: { conditions: [{ type: "Approved", status: "True", reason: "x" }] },
      }),
      get(`${requests}/{ns}`, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
      mergePatch(`${requests}/{ns}/approval`, { status: { conditions: [] } }),
      mergePatch(`${requests}/{ns}/approval`, {
        status: {
          conditions: [
            { type: "Approved", status: "True", reason: "x" },
            { type: "Denied", status: "True", reason: "x" },
          ],
        },
      }),
      remove(`${requests}/{ns}`),
    ),
    testCase(
      "the verdict on a CertificateSigningRequest does not change beside its path",
      createSpec(requests, "{ns}-v", askedSpec, { fields: ["kind"] }),
      mergePatch(
        `${requests}/{ns}-v/approval`,
        {
          status: {
            conditions: [
              {
                type: "Approved",
                status: "True",
                reason: "x",
                lastUpdateTime: "2026-01-01T00:00:00Z",
                lastTransitionTime: "2026-01-01T00:00:00Z",
              },
            ],
          },
        },
        { fields: ["status"] },
      ),
      jsonPatch(`${requests}/{ns}-v/status`, [{ op: "replace", path: "/status/conditions/0/reason", value: "y" }], {
        fields: ["status", "message"],
      }),
      remove(`${requests}/{ns}-v`, undefined, { fields: ["kind", "status"] }),
    ),
    testCase(
      "who requests a certificate is told by the server, and nobody gets one of the masters by the signer of clients",
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
    ),
    testCase(
      "the finalizers of a Namespace are set on a path of their own",
      createSpec("/api/v1/namespaces", "{ns}-x", { finalizers: ["a.b/c"] }),
      patchSpec("/api/v1/namespaces/{ns}-x", { finalizers: ["d.e/f"] }),
      put(
        "/api/v1/namespaces/{ns}-x/finalize",
        object("v1", "Namespace", "{ns}-x", { spec: { finalizers: ["Bad Name"] } }),
      ),
      put(
        "/api/v1/namespaces/{ns}-x/finalize",
        object("v1", "Namespace", "{ns}-x", { spec: { finalizers: ["kubernetes"] } }),
      ),
      patchStatus("/api/v1/namespaces/{ns}-x", { conditions: [{ type: "x", status: "True" }] }),
      remove("/api/v1/namespaces/{ns}-x", undefined, { fields: ["status"] }),
    ),
    testCase(
      "the status of kinds without rules of their own has its own path",
      create("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses", "i", {
        spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
        status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } },
      }),
      mergePatch("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/i", {
        status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } },
      }),
      mergePatch("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/i/status", {
        spec: { ingressClassName: "x" },
        status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } },
      }),
      patchSpec("/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/i", { ingressClassName: "y" }),
    ),
    testCase(
      "a Binding may be sent to a collection of its own",
      createSpec("/api/v1/namespaces/{ns}/pods", "a", { containers: [{ name: "a", image: "a" }] }),
      create("/api/v1/namespaces/{ns}/bindings", "none", { target: { name: "n" } }),
      create("/api/v1/namespaces/{ns}/bindings", "a", { target: {} }),
      post("/api/v1/namespaces/{ns}/bindings", { metadata: {}, target: { name: "n" } }),
      create("/api/v1/namespaces/{ns}/bindings", "a", { target: { name: "n" } }),
      create("/api/v1/namespaces/{ns}/bindings", "a", { target: { name: "m" } }),
      get("/api/v1/namespaces/{ns}/pods/a", { fields: ["spec.nodeName"] }),
      get("/api/v1/namespaces/{ns}/bindings"),
      get("/api/v1/namespaces/{ns}/bindings/a"),
      remove("/api/v1/namespaces/{ns}/bindings/a"),
    ),
  ],
};
