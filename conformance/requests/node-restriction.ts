import type { JsonObject } from "@kubewright/core/json";
import {
  type Extra,
  get,
  jsonPatch,
  mergePatch,
  post,
  type RequestStep,
  remove,
  type Step,
  subject,
  wording,
} from "../test-case.js";
import { create } from "./object-steps.js";
import { claims, container, leases, pods } from "./sample-objects.js";

/** The node of a case is named like its namespace. */
const node = "{ns}";
const nodes = "/api/v1/nodes";
const outcome: Extra = {
  fields: ["metadata.name", "metadata.labels", "message", "reason", "details", "code", "status"],
};
/** A kubelet that RBAC allows everything: only the plugin rejects. */
const asNode: Extra = {
  headers: { "impersonate-user": `system:node:${node}`, "impersonate-group": ["system:nodes", "system:masters"] },
  ...outcome,
};
const asNamelessNode: Extra = {
  ...outcome,
  headers: { "impersonate-user": "system:node:", "impersonate-group": ["system:nodes", "system:masters"] },
};

const makeNode = (labels: JsonObject = {}, spec: JsonObject = {}, extra: Extra = { silent: true }): RequestStep =>
  post(nodes, { metadata: { name: node, labels }, spec }, { capture: { node: "metadata.uid" }, ...extra });
const makePod = (name: string, nodeName: string, spec: JsonObject = {}): RequestStep =>
  post(
    pods,
    {
      metadata: { name },
      spec: { nodeName, automountServiceAccountToken: false, containers: [container("main", "a:1")], ...spec },
    },
    { silent: true, capture: { [name]: "metadata.uid" } },
  );
const ready: Step = get("/api/v1/namespaces/{ns}/serviceaccounts/default", { until: { status: 200 }, silent: true });
const ours = [ready, makeNode(), makePod("mine", node), makePod("other", "another-node")];
const owner: JsonObject = { apiVersion: "v1", kind: "Node", name: node, uid: "{node}", controller: true };
const mirror = (metadata: JsonObject, spec: JsonObject = {}): RequestStep =>
  post(
    pods,
    {
      metadata: {
        name: "mirror",
        annotations: { "kubernetes.io/config.mirror": "x" },
        ownerReferences: [owner],
        ...metadata,
      },
      spec: { nodeName: node, containers: [container("main", "a:1")], ...spec },
    },
    asNode,
  );
const volume = (source: JsonObject): JsonObject => ({ volumes: [{ name: "v", ...source }] });
const projected = (source: JsonObject): JsonObject => volume({ projected: { sources: [source] } });
const token = (boundObjectRef: JsonObject | undefined, spec: JsonObject = {}): RequestStep =>
  post(
    "/api/v1/namespaces/{ns}/serviceaccounts/default/token",
    {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { ...(boundObjectRef && { boundObjectRef }), ...spec },
    },
    { ...asNode, fields: ["kind", "message", "reason", "details", "code"] },
  );
const boundTo = (name: string, uid: string): JsonObject => ({ apiVersion: "v1", kind: "Pod", name, uid });
const createAsNode = (path: string, name: string, fields: JsonObject = {}): RequestStep =>
  create(path, name, fields, asNode);

/** What a kubelet may write. */
export const nodeRestrictionCases = subject(
  "node-restriction",
  {
    "a node without a name is rejected": wording(
      ...ours,
      jsonPatch(`${pods}/mine/status`, [{ op: "add", path: "/status/message", value: "x" }], asNamelessNode),
    ),
    "a node creates only its own Node": wording(
      post(nodes, { metadata: { name: "{ns}-x" } }, asNode),
      makeNode({ "kubernetes.io/hostname": "h", "node.kubernetes.io/instance-type": "t", a: "b" }, {}, asNode),
    ),
    "a node registers with labels of kubelet only": wording(
      makeNode({ "node-restriction.kubernetes.io/a": "b" }, {}, asNode),
      makeNode(
        { "x.node-restriction.kubernetes.io/a": "b", "node-role.kubernetes.io/x": "", "a.k8s.io/b": "" },
        {},
        asNode,
      ),
      makeNode(
        { "kubelet.kubernetes.io/a": "", "x.node.kubernetes.io/b": "", "example.com/c": "", "k8s.io.example/d": "" },
        {},
        asNode,
      ),
    ),
    "a node changes only labels of kubelet": wording(
      makeNode({ "example.com/zone": "a", "kubernetes.io/os": "linux" }),
      mergePatch(
        `${nodes}/${node}`,
        { metadata: { labels: { "example.com/zone": "b", "kubernetes.io/os": "x" } } },
        asNode,
      ),
      mergePatch(`${nodes}/${node}`, { metadata: { labels: { "node-restriction.kubernetes.io/a": "b" } } }, asNode),
      mergePatch(`${nodes}/${node}`, { metadata: { labels: { "node-role.kubernetes.io/a": "b" } } }, asNode),
      mergePatch(`${nodes}/${node}/status`, { metadata: { labels: { "node-role.kubernetes.io/a": "b" } } }, asNode),
    ),
    "a node changes neither its taints nor its owners": wording(
      makeNode(),
      mergePatch(`${nodes}/${node}`, { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }, asNode),
      mergePatch(
        `${nodes}/${node}`,
        { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: node, uid: "{node}" }] } },
        asNode,
      ),
      mergePatch(`${nodes}/${node}`, { metadata: { annotations: { a: "b" } } }, asNode),
      mergePatch(
        `${nodes}/${node}/status`,
        { status: { nodeInfo: { machineID: "m" } } },
        { ...asNode, fields: ["code", "message"] },
      ),
    ),
    "a node changes no other Node": wording(
      makeNode(),
      post(nodes, { metadata: { name: "{ns}-x" } }, { silent: true }),
      mergePatch(`${nodes}/{ns}-x`, { metadata: { annotations: { a: "b" } } }, asNode),
      mergePatch(`${nodes}/{ns}-x/status`, { status: { phase: "x" } }, asNode),
      remove(`${nodes}/{ns}-x`, undefined, asNode),
      remove(`${nodes}/${node}`, undefined, asNode),
    ),
    "a node creates only mirror pods on itself": wording(
      ...ours,
      mirror({ annotations: {} }),
      mirror({}, { nodeName: "another-node" }),
      mirror({}, { nodeName: "" }),
      mirror({}),
    ),
    "a mirror pod is owned by its Node": wording(
      ...ours,
      mirror({ ownerReferences: [] }),
      mirror({ ownerReferences: [owner, { ...owner, uid: "x", controller: false }] }),
      mirror({ ownerReferences: [{ ...owner, name: "another-node" }] }),
      mirror({ ownerReferences: [{ ...owner, kind: "Pod" }] }),
      mirror({ ownerReferences: [{ ...owner, controller: false }] }),
      mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
      mirror({ ownerReferences: [{ ...owner, uid: "00000000-0000-0000-0000-000000000000" }] }),
    ),
    "a mirror pod of a node that is not stored is rejected": wording(
      ready,
      mirror({ ownerReferences: [{ ...owner, uid: "x" }] }),
    ),
    "a mirror pod of a node refers to no objects": wording(
      ...ours,
      mirror({}, { serviceAccountName: "default" }),
      mirror({}, volume({ configMap: { name: "c" } })),
      mirror({}, volume({ secret: { secretName: "s" } })),
      mirror({}, volume({ persistentVolumeClaim: { claimName: "c" } })),
      mirror({}, volume({ csi: { driver: "d" } })),
      mirror({}, volume({ glusterfs: { endpoints: "e", path: "p" } })),
      mirror({}, volume({ azureFile: { shareName: "s", secretName: "x" } })),
      mirror(
        {},
        volume({
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
            },
          },
        }),
      ),
      mirror({}, projected({ configMap: { name: "c" } })),
      mirror({}, projected({ secret: { name: "c" } })),
      mirror({}, projected({ serviceAccountToken: { path: "p" } })),
      mirror({}, { containers: [container("main", "a:1", { envFrom: [{ configMapRef: { name: "c" } }] })] }),
      mirror({}, { containers: [container("main", "a:1", { envFrom: [{ secretRef: { name: "c" } }] })] }),
      mirror({}, volume({ emptyDir: {} })),
    ),
    "a mirror pod of a node may read its own metadata and host paths": wording(
      ...ours,
      mirror(
        {},
        {
          volumes: [
            { name: "a", hostPath: { path: "/" } },
            {
              name: "b",
              projected: {
                sources: [{ downwardAPI: { items: [{ path: "n", fieldRef: { fieldPath: "metadata.name" } }] } }],
              },
            },
          ],
        },
      ),
    ),
    "a node updates no pods": wording(
      ...ours,
      mergePatch(`${pods}/mine`, { metadata: { labels: { a: "b" } } }, asNode),
    ),
    "a node deletes only pods that are bound to it": wording(
      ...ours,
      remove(`${pods}/other`, undefined, asNode),
      remove(`${pods}/none`, undefined, asNode),
      remove(`${pods}/mine`, undefined, { ...asNode, fields: ["code", "message"] }),
    ),
    "a node writes the status of pods that are bound to it": wording(
      ...ours,
      mergePatch(`${pods}/mine/status`, { status: { message: "x" } }, { ...asNode, fields: ["status.message"] }),
      mergePatch(`${pods}/other/status`, { status: { message: "x" } }, asNode),
      mergePatch(`${pods}/mine/status`, { metadata: { labels: { a: "b" } } }, asNode),
      mergePatch(`${pods}/mine/status`, { status: { resourceClaimStatuses: [{ name: "a" }] } }, asNode),
    ),
    "a node uses no other subresources of pods": wording(
      ...ours,
      jsonPatch(
        `${pods}/mine/ephemeralcontainers`,
        [{ op: "add", path: "/spec/ephemeralContainers", value: [container("d", "a:1")] }],
        asNode,
      ),
      post(`${pods}/mine/binding`, { metadata: { name: "mine" }, target: { kind: "Node", name: node } }, asNode),
    ),
    "a node evicts only pods that are bound to it": wording(
      ...ours,
      post(
        `${pods}/other/eviction`,
        { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "other" } },
        asNode,
      ),
      post(`${pods}/none/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "none" } }, asNode),
      post(`${pods}/mine/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "mine" } }, asNode),
    ),
    "a node writes only the status of a PersistentVolumeClaim": wording(
      create(
        claims,
        "c",
        { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
        { silent: true },
      ),
      mergePatch(`${claims}/c`, { metadata: { labels: { a: "b" } } }, asNode),
      remove(`${claims}/c`, undefined, asNode),
      mergePatch(
        `${claims}/c/status`,
        { status: { capacity: { storage: "1Gi" } } },
        { ...asNode, fields: ["status.capacity"] },
      ),
      mergePatch(
        `${claims}/c/status`,
        { status: { phase: "Bound" } },
        { ...asNode, fields: ["reason", "code"], wording: false },
      ),
    ),
    "a node writes only its own Lease": wording(
      createAsNode(leases, node),
      createAsNode("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", "{ns}-x"),
      createAsNode("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", node),
      mergePatch(
        `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}`,
        { spec: { holderIdentity: "h" } },
        { ...asNode, fields: ["spec.holderIdentity"] },
      ),
      create("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", "{ns}-y", {}, { silent: true }),
      mergePatch(
        "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/{ns}-y",
        { spec: { holderIdentity: "h" } },
        asNode,
      ),
      remove("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/{ns}-y", undefined, asNode),
    ),
    "a node writes only its own CSINode": wording(
      createAsNode("/apis/storage.k8s.io/v1/csinodes", "{ns}-x", { spec: { drivers: [] } }),
      createAsNode("/apis/storage.k8s.io/v1/csinodes", node, { spec: { drivers: [] } }),
      mergePatch(`/apis/storage.k8s.io/v1/csinodes/${node}`, { metadata: { labels: { a: "b" } } }, asNode),
    ),
    "a node writes only its own ResourceSlices": wording(
      ...["another-node", node].map((nodeName, index) =>
        createAsNode("/apis/resource.k8s.io/v1/resourceslices", `{ns}-${index}`, {
          spec: { driver: "d.example.com", nodeName, pool: { name: "p", generation: 1, resourceSliceCount: 1 } },
        }),
      ),
      remove(`/apis/resource.k8s.io/v1/resourceslices/{ns}-1`, undefined, asNode),
    ),
    "a node requests tokens for pods that are bound to it": wording(
      ...ours,
      token(undefined),
      token({ apiVersion: "v1", kind: "Secret", name: "s", uid: "u" }),
      token({ apiVersion: "v1", kind: "Pod", name: "mine" }),
      token(boundTo("mine", "00000000-0000-0000-0000-000000000000")),
      token(boundTo("other", "{other}")),
      token(boundTo("none", "{other}")),
    ),
    "a node that RBAC allows every audience requests any": wording(
      ...ours,
      token(boundTo("mine", "{mine}")),
      token(boundTo("mine", "{mine}"), { audiences: ["a"] }),
      token(boundTo("mine", "{mine}"), { audiences: ["a", "b"] }),
    ),
    "a node writes other resources without restriction": wording(
      createAsNode("/api/v1/namespaces/{ns}/configmaps", "c"),
      createAsNode("/api/v1/namespaces/{ns}/secrets", "s"),
    ),
    "a user of the group system:nodes with another name is not restricted": wording(
      post(
        nodes,
        { metadata: { name: "{ns}-x" } },
        {
          ...outcome,
          headers: { "impersonate-user": "node", "impersonate-group": ["system:nodes", "system:masters"] },
        },
      ),
      post(
        nodes,
        { metadata: { name: "{ns}-y" } },
        {
          ...outcome,
          headers: { "impersonate-user": `system:node:${node}`, "impersonate-group": ["system:masters"] },
        },
      ),
    ),
  },
  "admission",
);
