import type { JsonObject } from "@kubewright/core/json";
import { get, jsonPatch, post, type RequestStep, remove, type Step, subject, wording } from "../test-case.js";
import { create, createSpec } from "./object-steps.js";
import { container, deployments, pods, secrets } from "./sample-objects.js";

const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const enforced = { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } };
const containers = [container("main", "a:1")];

/** What the plugin sets in a pod. */
const given = {
  fields: [
    ...["message", "reason", "details", "code", "spec.serviceAccountName", "spec.serviceAccount"],
    ...["spec.volumes", "spec.containers", "spec.initContainers", "spec.imagePullSecrets"],
    "spec.automountServiceAccountToken",
  ],
};

/** Waits for the ServiceAccount `default` of the namespace. */
const ready: Step = get(`${accounts}/default`, { until: { status: 200 }, silent: true });
const account = (name: string, fields: JsonObject = {}, metadata: JsonObject = {}): RequestStep =>
  post(accounts, { metadata: { name, ...metadata }, ...fields }, { silent: true });
const pod = (name: string, spec: JsonObject = {}): RequestStep =>
  createSpec(pods, name, { containers, ...spec }, given);
const mirror = (spec: JsonObject): RequestStep =>
  post(
    pods,
    {
      metadata: { name: "m", annotations: { "kubernetes.io/config.mirror": "x" } },
      spec: { nodeName: "n", containers, ...spec },
    },
    given,
  );
const secretVolume = (secretName: string): JsonObject => ({ name: "s", secret: { secretName } });
const secretVariable = (name: string): JsonObject => ({
  env: [{ name: "V", valueFrom: { secretKeyRef: { name, key: "k" } } }],
});
const limited = account("limited", { secrets: [{ name: "known" }], imagePullSecrets: [{ name: "pull" }] }, enforced);
const ofLimited = (name: string, spec: JsonObject): RequestStep =>
  pod(name, { serviceAccountName: "limited", ...spec });

/** The ServiceAccount that a new pod gets, its token volume and its imagePullSecrets. */
export const serviceAccountCases = subject(
  "service-accounts",
  {
    "a namespace gets the ServiceAccount default and the ConfigMap kube-root-ca.crt": [
      get(`${accounts}/default`, { until: { status: 200 }, fields: ["kind", "metadata.name", "metadata.labels"] }),
      get("/api/v1/namespaces/{ns}/configmaps/kube-root-ca.crt", {
        until: { status: 200 },
        fields: ["metadata.name", "metadata.annotations"],
      }),
    ],
    "a deleted ServiceAccount default is created again": [
      ready,
      remove(`${accounts}/default`, undefined, { fields: ["status"] }),
      get(`${accounts}/default`, { until: { status: 200 }, fields: ["kind", "metadata.name"] }),
    ],
    "a pod without a ServiceAccount gets default, with its token volume": [ready, pod("a")],
    "a pod in a namespace that was just created waits for the ServiceAccount default": [pod("a")],
    "a pod with a ServiceAccount that does not exist is rejected": wording(
      ready,
      pod("a", { serviceAccountName: "none" }),
      pod("b", { serviceAccount: "none" }),
      post(pods, { metadata: { generateName: "g-" }, spec: { containers, serviceAccountName: "none" } }, given),
      createSpec(`${pods}?dryRun=All`, "c", { containers, serviceAccountName: "none" }, given),
    ),
    "a pod gets the token of the ServiceAccount that it names": [
      ready,
      account("other"),
      pod("a", { serviceAccountName: "other" }),
      pod("b", { serviceAccount: "other" }),
      pod("c", { serviceAccount: "default", serviceAccountName: "other" }),
    ],
    "every container and init container mounts the token, ephemeral ones do not": [
      ready,
      pod("a", {
        containers: [container("one", "a:1"), container("two", "a:1")],
        initContainers: [container("init", "a:1"), container("side", "a:1", { restartPolicy: "Always" })],
      }),
    ],
    "a container that mounts something at the token's path keeps it": [
      ready,
      pod("a", {
        volumes: [{ name: "own", emptyDir: {} }],
        containers: [container("one", "a:1", { volumeMounts: [{ name: "own", mountPath }] }), container("two", "a:1")],
      }),
      pod("b", {
        volumes: [{ name: "own", emptyDir: {} }],
        containers: [container("one", "a:1", { volumeMounts: [{ name: "own", mountPath }] })],
      }),
    ],
    "a volume whose name starts with kube-api-access- is used instead of a new one": [
      ready,
      pod("a", { volumes: [{ name: "kube-api-access-mine", emptyDir: {} }] }),
      pod("b", {
        volumes: [
          { name: "first", emptyDir: {} },
          { name: "kube-api-access-x", emptyDir: {} },
        ],
      }),
    ],
    "a pod that does not mount the token gets no volume": [ready, pod("a", { automountServiceAccountToken: false })],
    "a ServiceAccount that mounts no token is overruled by the pod": [
      ready,
      account("silent", { automountServiceAccountToken: false }),
      pod("a", { serviceAccountName: "silent" }),
      pod("b", { serviceAccountName: "silent", automountServiceAccountToken: true }),
    ],
    "a pod without imagePullSecrets gets those of its ServiceAccount": [
      ready,
      account("puller", { imagePullSecrets: [{ name: "one" }, { name: "two" }] }),
      pod("a", { serviceAccountName: "puller" }),
      pod("b", { serviceAccountName: "puller", imagePullSecrets: [{ name: "own" }] }),
    ],
    "an update of a pod does not change its ServiceAccount's volume": [
      ready,
      pod("a"),
      jsonPatch(`${pods}/a`, [{ op: "replace", path: "/spec/containers/0/image", value: "a:2" }], given),
      jsonPatch(`${pods}/a`, [{ op: "add", path: "/metadata/labels", value: { a: "b" } }], given),
    ],
    "a pod cannot change its ServiceAccount": [
      ready,
      pod("a"),
      jsonPatch(`${pods}/a`, [{ op: "replace", path: "/spec/serviceAccountName", value: "other" }], {
        fields: ["reason", "code"],
      }),
    ],
    "a mirror pod refers to no ServiceAccount, Secret or token": wording(
      ready,
      mirror({ nodeName: "" }),
      mirror({}),
      jsonPatch(`${pods}/m`, [{ op: "remove", path: "/metadata/annotations" }], given),
      remove(`${pods}/m`, { gracePeriodSeconds: 0 }, { silent: true }),
      mirror({ serviceAccountName: "default" }),
      mirror({ volumes: [secretVolume("x")] }),
      mirror({ imagePullSecrets: [{ name: "x" }] }),
      mirror({ containers: [container("main", "a:1", secretVariable("x"))] }),
      mirror({ containers: [container("main", "a:1", { envFrom: [{ secretRef: { name: "x" } }] })] }),
      mirror({ volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] }),
      mirror({ volumes: [{ name: "t", projected: { sources: [{ secret: { name: "x" } }] } }] }),
      mirror({ volumes: [{ name: "t", csi: { driver: "d", nodePublishSecretRef: { name: "x" } } }] }),
      mirror({ volumes: [{ name: "t", azureFile: { shareName: "s", secretName: "x" } }] }),
    ),
    "a ServiceAccount that enforces mountable Secrets limits volumes": wording(
      ready,
      limited,
      ofLimited("a", { volumes: [secretVolume("known")] }),
      ofLimited("b", { volumes: [secretVolume("other")] }),
      ofLimited("c", { volumes: [{ name: "p", projected: { sources: [{ secret: { name: "other" } }] } }] }),
    ),
    "a ServiceAccount that enforces mountable Secrets limits environment variables": wording(
      ready,
      limited,
      ofLimited("a", { containers: [container("main", "a:1", secretVariable("known"))] }),
      ofLimited("b", { containers: [container("main", "a:1", secretVariable("other"))] }),
      ofLimited("c", { containers: [container("main", "a:1", { envFrom: [{ secretRef: { name: "other" } }] })] }),
      ofLimited("d", { initContainers: [container("init", "a:1", secretVariable("other"))] }),
      ofLimited("e", { initContainers: [container("init", "a:1", { envFrom: [{ secretRef: { name: "other" } }] })] }),
    ),
    "a ServiceAccount that enforces mountable Secrets limits imagePullSecrets": wording(
      ready,
      limited,
      ofLimited("a", { imagePullSecrets: [{ name: "pull" }] }),
      ofLimited("b", { imagePullSecrets: [{ name: "pull" }, { name: "other" }] }),
    ),
    "a ServiceAccount that enforces mountable Secrets limits ephemeral containers": wording(
      ready,
      limited,
      ...["known", "other"].flatMap((name) => [
        ofLimited(name, {}),
        jsonPatch(
          `${pods}/${name}/ephemeralcontainers`,
          [
            {
              op: "add",
              path: "/spec/ephemeralContainers",
              value: [container("debug", "a:1", secretVariable(name))],
            },
          ],
          { fields: ["message", "reason", "details", "code", "spec.ephemeralContainers"] },
        ),
      ]),
    ),
    "the annotation that enforces mountable Secrets is a boolean of Go": [
      ready,
      ...["1", "T", "yes", "false", ""].flatMap((value) => [
        account(
          `is-${value.toLowerCase()}x`,
          {},
          { annotations: { "kubernetes.io/enforce-mountable-secrets": value } },
        ),
        pod(`p-${value.toLowerCase()}x`, {
          serviceAccountName: `is-${value.toLowerCase()}x`,
          volumes: [secretVolume("other")],
        }),
      ]),
    ],
    "a Deployment whose ServiceAccount does not exist is created: only its pods are rejected": [
      createSpec(
        deployments,
        "a",
        {
          replicas: 0,
          selector: { matchLabels: { app: "a" } },
          template: { metadata: { labels: { app: "a" } }, spec: { containers, serviceAccountName: "none" } },
        },
        { fields: ["spec.template.spec.serviceAccountName"] },
      ),
    ],
    "a Secret with a token of a ServiceAccount is stored": [
      ready,
      create(
        secrets,
        "token",
        { type: "kubernetes.io/service-account-token" },
        { fields: ["code", "reason", "details.causes"] },
      ),
    ],
  },
  "admission",
);
