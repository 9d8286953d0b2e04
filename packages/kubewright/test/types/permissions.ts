/**
 * The compiler enforces the permissions: each line that must not compile is next to one that must.
 *
 * This file is type-checked and never run. An `@ts-expect-error` without an error fails the check.
 */
import { z } from "zod";
import { select } from "../../src/cache/index.js";
import { dynamic, metadataOnly } from "../../src/client/index.js";
import { defineResource, ofCluster } from "../../src/definition/index.js";
import { Deployment } from "../../src/k8s/apps/v1.gen.js";
import { ConfigMap, Namespace, Secret } from "../../src/k8s/core/v1.gen.js";
import { controller, live, may, rawController } from "../../src/reconcile/index.js";
import { watch } from "../../src/route/index.js";
import { OtherDeployment, Tenant } from "../kinds.js";

const Website = defineResource({
  group: "web.example.com",
  kind: "Website",
  versions: {
    v1: {
      spec: z.object({
        image: z.string().min(1),
        replicas: z.int32().min(0).max(100).default(1),
        host: z.string().optional(),
      }),
      status: z.object({ url: z.string().optional(), availableReplicas: z.int32().default(0) }),
      conditions: { Ready: ["Available", "Progressing", "TokenMissing"] },
    },
  },
});

const Sample = defineResource({
  group: "example.com",
  kind: "Sample",
  versions: { v1alpha1: { fields: z.object({ testString: z.string().optional() }) } },
});

const Widget = dynamic({ apiVersion: "example.com/v1", kind: "Widget", plural: "widgets", scope: "Namespaced" });

const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } };
const unnamed = { containers: [{ image: "web:1" }] };
const spec = { selector: { matchLabels: labels }, template };

/** The example of the documentation. */
export const website = controller(Website, {
  owns: [Deployment],
  uses: [Secret],
  watches: [watch(ConfigMap, { to: (configMap) => configMap.metadata.labels?.["website"] })],
  reconcile: async ({ object, apply, find, conditions, status }) => {
    const token = await find(Secret, `${object.metadata.name}-token`);
    if (!token) {
      conditions.set("Ready", {
        status: false,
        reason: "TokenMissing",
        message: `Secret "${object.metadata.name}-token" is not there`,
      });
      return;
    }
    const labels = { app: object.metadata.name };
    const deployment = await apply(Deployment, {
      metadata: { name: object.metadata.name },
      spec: { replicas: object.spec.replicas, selector: { matchLabels: labels }, template },
    });
    status.availableReplicas = deployment.status?.availableReplicas ?? 0;
    const ready = status.availableReplicas === object.spec.replicas;
    conditions.set("Ready", { status: ready, reason: ready ? "Available" : "Progressing" });
  },
  finalize: async ({ object, event }) => {
    event("Normal", "Released", `Released ${object.spec.host ?? "nothing"}`);
  },
});

/** An undeclared kind cannot be accessed, nor one of the same name in another group. */
export const undeclared = controller(Website, {
  owns: [Deployment],
  uses: [Secret],
  watches: [watch(ConfigMap, { to: () => undefined })],
  reconcile: async ({ apply, create, patch, delete: remove, prune, get, find, list, waitFor }) => {
    await apply(Deployment, { metadata: { name: "web" }, spec });
    // @ts-expect-error: Secret is used, not owned
    await apply(Secret, { metadata: { name: "web" } });
    // @ts-expect-error: the same name in another group is another kind
    await apply(OtherDeployment, { metadata: { name: "web" }, spec });

    await create(Deployment, { metadata: { generateName: "web-" }, spec });
    // @ts-expect-error: ConfigMap is watched, not owned
    await create(ConfigMap, { metadata: { name: "web" } });

    await patch(Deployment, "web", { merge: { spec: { replicas: 2 } } });
    // @ts-expect-error: Secret is used, not owned
    await patch(Secret, "web", { merge: {} });

    await remove(Deployment, "web");
    // @ts-expect-error: ConfigMap is watched, not owned
    await remove(ConfigMap, "web");

    await prune(Deployment);
    // @ts-expect-error: Secret is used, not owned
    await prune(Secret);

    await get(Deployment, "web");
    await get(Secret, "web");
    await get(ConfigMap, { namespace: "other", name: "web" });
    // @ts-expect-error: Namespace is not declared
    await get(Namespace, "web");

    await find(Secret, "web");
    // @ts-expect-error: the same name in another group is another kind
    await find(OtherDeployment, "web");

    await list(Secret, { labels });
    // @ts-expect-error: Namespace is not declared
    await list(Namespace);

    await waitFor(Secret, "web", { until: (secret) => secret?.type === "Opaque", timeout: "10s" });
    // @ts-expect-error: Namespace is not declared
    await waitFor(Namespace, "web", { until: () => true, timeout: "10s" });
  },
});

/** A controller that declares nothing can access nothing. */
export const nothing = controller(Website, {
  reconcile: async ({ apply, get }) => {
    // @ts-expect-error: nothing is owned
    await apply(Deployment, { metadata: { name: "web" }, spec });
    // @ts-expect-error: nothing is declared
    await get(Secret, "web");
  },
});

/** `live` allows `get`, and `may` allows the verbs that it names; nothing more. */
export const single = controller(Website, {
  uses: [live(Secret), may(ConfigMap, "delete", "create"), may(Namespace, "list")],
  reconcile: async ({ get, list, waitFor, create, patch, delete: remove }) => {
    await get(Secret, "web");
    // @ts-expect-error: a live kind cannot be listed
    await list(Secret);
    // @ts-expect-error: a live kind is not cached
    await waitFor(Secret, "web", { until: () => true, timeout: "10s" });

    await remove(ConfigMap, "web");
    await create(ConfigMap, { metadata: { name: "web", namespace: "other" }, data: {} });
    // @ts-expect-error: the verb delete does not allow patch
    await patch(ConfigMap, "web", { merge: {} });
    // @ts-expect-error: the verb delete does not allow get
    await get(ConfigMap, "web");

    await list(Namespace);
    // @ts-expect-error: there is no such verb
    may(ConfigMap, "explode");
  },
});

/** Condition types, reasons and status fields are those of the definition; cached objects are readonly. */
export const disciplined = controller(Website, {
  owns: [Deployment],
  reconcile: async ({ object, get, status, conditions }) => {
    conditions.set("Ready", { status: "Unknown", reason: "Progressing" });
    // @ts-expect-error: the type is not declared
    conditions.set("Reddy", { status: true, reason: "Available" });
    // @ts-expect-error: the reason is not declared
    conditions.set("Ready", { status: true, reason: "Fine" });

    status.url = "https://example.com";
    status.url = undefined;
    // @ts-expect-error: the field is not declared
    status.uri = "https://example.com";
    // @ts-expect-error: the field is a number
    status.availableReplicas = "1";

    // @ts-expect-error: the object is the cache's
    object.spec.replicas = 2;
    const deployment = await get(Deployment, "web");
    // @ts-expect-error: cached objects are deeply readonly
    deployment.spec.template.spec = undefined;
    // @ts-expect-error: cached lists are readonly
    deployment.spec.template.spec?.containers.push({ name: "more" });
  },
});

/** Children have the fields of their kind; list items have their map keys; an object that was read can be written. */
export const children = controller(Website, {
  owns: [Deployment],
  reconcile: async ({ apply, get }) => {
    await apply(Deployment, { metadata: { name: "web", labels }, spec: { ...spec, replicas: 2 } });
    // @ts-expect-error: there is no such field
    await apply(Deployment, { metadata: { name: "web" }, spec: { ...spec, replica: 2 } });
    // @ts-expect-error: the field is a number
    await apply(Deployment, { metadata: { name: "web" }, spec: { ...spec, replicas: "2" } });
    // @ts-expect-error: a container needs a name
    await apply(Deployment, { metadata: { name: "web" }, spec: { ...spec, template: { spec: unnamed } } });
    // @ts-expect-error: a child needs a name
    await apply(Deployment, { metadata: {}, spec });

    const read = await get(Deployment, "web");
    await apply(Deployment, { metadata: { name: "copy" }, spec: read.spec });
  },
});

/** A child of a namespaced owner is in its owner's namespace, and does not specify it. */
export const sameNamespace = controller(Website, {
  owns: [ConfigMap],
  reconcile: async ({ apply, create }) => {
    await apply(ConfigMap, { metadata: { name: "web" } });
    // @ts-expect-error: a child cannot be in another namespace
    await apply(ConfigMap, { metadata: { name: "web", namespace: "other" } });
    // @ts-expect-error: a child cannot be in another namespace
    await create(ConfigMap, { metadata: { generateName: "web-", namespace: "other" } });
    // @ts-expect-error: the framework sets ownerReferences
    await apply(ConfigMap, { metadata: { name: "web", ownerReferences: [] } });
  },
});

/** A child of a cluster-scoped owner must specify its namespace; so must a name. */
export const clusterScoped = controller(Tenant, {
  owns: [ConfigMap, Namespace],
  reconcile: async ({ apply, get }) => {
    await apply(ConfigMap, { metadata: { name: "web", namespace: "prod" } });
    // @ts-expect-error: the owner has no namespace for the child
    await apply(ConfigMap, { metadata: { name: "web" } });

    await apply(Namespace, { metadata: { name: "prod" } });
    // @ts-expect-error: a Namespace is cluster-scoped
    await apply(Namespace, { metadata: { name: "prod", namespace: "prod" } });

    await get(ConfigMap, { namespace: "prod", name: "web" });
    // @ts-expect-error: the owner has no namespace for the name
    await get(ConfigMap, "web");
    await get(Namespace, "prod");
  },
});

/** A namespaced owner cannot own a cluster-scoped object. */
export const upwards = controller(Website, {
  owns: [Namespace],
  reconcile: async ({ apply }) => {
    // @ts-expect-error: Kubernetes does not allow it
    await apply(Namespace, { metadata: { name: "prod" } });
  },
});

/** A kind without a status has no status in its context. */
export const statusless = controller(Sample, {
  reconcile: async ({ object, status, saveStatus, conditions }) => {
    object.testString?.toUpperCase();
    // @ts-expect-error: there is no status
    status.phase = "Ready";
    // @ts-expect-error: there is nothing to save
    await saveStatus();
    // @ts-expect-error: there are no conditions
    conditions.set("Ready", { status: true, reason: "Fine" });
  },
});

/** A reconcile function returns nothing or the result of `requeueAfter`. */
export const results = [
  controller(Sample, { reconcile: () => undefined }),
  controller(Sample, { reconcile: ({ requeueAfter }) => requeueAfter("1s") }),
  controller(Sample, { reconcile: ({ requeueAfter }) => requeueAfter(0) }),
  controller(Sample, { reconcile: ({ requeueAfter }) => requeueAfter("0s", { priority: -100 }) }),
  // @ts-expect-error: only requeueAfter makes a result
  controller(Sample, { reconcile: () => ({ afterMs: 100 }) }),
  // @ts-expect-error: also of an asynchronous function
  controller(Sample, { reconcile: async () => ({ afterMs: 100 }) }),
  // @ts-expect-error: a duration is written as Go does
  controller(Sample, { reconcile: ({ requeueAfter }) => requeueAfter("5 minutes") }),
  // @ts-expect-error: a number has no unit
  controller(Sample, { reconcile: ({ requeueAfter }) => requeueAfter(1_000) }),
  // @ts-expect-error: a string is not a result
  controller(Sample, { reconcile: () => "done" }),
];

/** Patch bodies have the fields of the kind. */
export const patching = controller(Website, {
  owns: [Deployment],
  uses: [
    may(Website, "patchStatus"),
    may(Sample, "patch"),
    may(metadataOnly(ConfigMap), "patch"),
    may(Widget, "patch"),
  ],
  reconcile: async ({ object, patch, patchStatus }) => {
    const { uid, resourceVersion } = object.metadata;
    await patch(Deployment, "web", { merge: { metadata: { uid, resourceVersion, labels }, spec: { replicas: 2 } } });
    await patch(Deployment, "web", { merge: { metadata: { labels: { app: null } }, spec: { replicas: null } } });
    // @ts-expect-error: there is no such field
    await patch(Deployment, "web", { merge: { spec: { replica: 2 } } });
    // @ts-expect-error: replicas is a number
    await patch(Deployment, "web", { merge: { spec: { replicas: "2" } } });
    // @ts-expect-error: a merge patch replaces the list, so that its items must be complete
    await patch(Deployment, "web", { merge: { spec: { template: { spec: unnamed } } } });

    await patch(Deployment, "web", { strategic: { spec: { template: { spec: unnamed } } } });
    const containers = [{ name: "web", $patch: "delete" }];
    await patch(Deployment, "web", { strategic: { spec: { template: { spec: { containers } } } } });
    // @ts-expect-error: there is no such field
    await patch(Deployment, "web", { strategic: { spec: { template: { spec: { containers: [{ img: "" }] } } } } });

    await patch(Deployment, "web", { json: [{ op: "replace", path: "/spec/replicas", value: 2 }] });
    // @ts-expect-error: there is no such operation
    await patch(Deployment, "web", { json: [{ op: "set", path: "/spec/replicas", value: 2 }] });
    // @ts-expect-error: a replacement has a value
    await patch(Deployment, "web", { json: [{ op: "replace", path: "/spec/replicas" }] });

    await patchStatus(Website, "web", { merge: { status: { url: null } } });
    // @ts-expect-error: there is no such status field
    await patchStatus(Website, "web", { merge: { status: { uri: "x" } } });
    // @ts-expect-error: a Sample has no status
    await patch(Sample, "a", { merge: { status: {} } });
    await patch(metadataOnly(ConfigMap), "a", { merge: { metadata: { labels } } });
    await patch(Widget, "a", { merge: { spec: { anything: 1 } } });
  },
});

/** A conversion returns the version that it is for. */
export const converting = defineResource({
  group: "web.example.com",
  kind: "Page",
  hub: "v1",
  versions: {
    v1: { spec: z.object({ replicas: z.int32() }) },
    v1alpha1: { spec: z.object({ size: z.int32() }) },
  },
  convert: {
    v1alpha1: {
      toHub: ({ spec }) => ({ spec: { replicas: spec.size } }),
      // @ts-expect-error: this returns the hub, not v1alpha1
      fromHub: ({ spec }) => ({ spec: { replicas: spec.replicas } }),
    },
  },
});

/** Only selected kinds can be read. */
export const selecting = controller(Website, {
  select: { labels: { shard: "1" } },
  uses: [
    select(Secret, { labels: { app: "web" }, fields: { type: "Opaque" }, transform: ({ data: _, ...rest }) => rest }),
    metadataOnly(ConfigMap),
  ],
  reconcile: async ({ find, list, apply }) => {
    const secret = await find(Secret, "token");
    secret?.type?.toUpperCase();
    // @ts-expect-error: a Secret has no such field
    secret?.phase;
    for (const { metadata } of await list(metadataOnly(ConfigMap))) metadata.name.toUpperCase();
    // @ts-expect-error: ConfigMap is declared metadata-only
    await find(ConfigMap, "settings");
    // @ts-expect-error: a Secret is read, not owned
    await apply(Secret, { metadata: { name: "token" } });
  },
});

/** Objects can be listed by the declared indexes of their kind only. */
export const finding = controller(Website, {
  owns: [Deployment],
  uses: [
    select(ConfigMap, { indexes: { host: ({ data }) => data?.["host"], first: ({ metadata }) => [metadata.name] } }),
    Secret,
  ],
  reconcile: async ({ list }) => {
    await list(ConfigMap, { index: { host: "a" } });
    await list(ConfigMap, { index: { host: "a", first: "b" }, labels: { app: "web" } });
    await list(ConfigMap);
    // @ts-expect-error: there is no such index
    await list(ConfigMap, { index: { port: "1" } });
    // @ts-expect-error: that is an index of ConfigMaps
    await list(Secret, { index: { host: "a" } });
    // @ts-expect-error: and not one of Deployments
    await list(Deployment, { index: { host: "a" } });
  },
});
// @ts-expect-error: an index value is a string or a list of strings
select(ConfigMap, { indexes: { size: ({ data }) => Object.keys(data ?? {}).length } });
// @ts-expect-error: a transform must return a Secret
select(Secret, { transform: () => ({ phase: "Ready" }) });
// @ts-expect-error: there is no such option
select(Secret, { annotations: { app: "web" } });
// @ts-expect-error: a controller's own kind can be selected, not transformed
controller(Website, { select: { transform: (object) => object }, reconcile: () => {} });

const EdgeConfigMap = ofCluster("edge", ConfigMap);

/** A kind of another cluster is another kind, with the same fields. */
export const twoClusters = controller(Website, {
  uses: [EdgeConfigMap],
  reconcile: async ({ get, apply }) => {
    (await get(EdgeConfigMap, "settings")).data?.["url"]?.toUpperCase();
    // @ts-expect-error: the kind of the operator's own cluster is not declared
    await get(ConfigMap, "settings");
    // @ts-expect-error: nor the kind of a third cluster
    await get(ofCluster("core", ConfigMap), "settings");
    // @ts-expect-error: it is read, not owned
    await apply(EdgeConfigMap, { metadata: { name: "settings" } });
  },
});

/** A raw controller has a key and its declared kinds, and no object. */
export const zones = rawController({
  name: "zones",
  uses: [may(ConfigMap, "create", "patch"), may(Secret, "delete"), live(Namespace)],
  watches: [watch(Deployment, { to: ({ metadata }) => metadata.labels?.["zone"] })],
  reconcile: async (context) => {
    const { key, get, list, apply, requeueAfter } = context;
    for (const { spec } of await list(Deployment, { labels: { zone: key } })) spec.replicas?.toFixed();
    await get(Namespace, "default");
    await apply(ConfigMap, { metadata: { namespace: "default", name: key }, data: { zone: key } });
    // @ts-expect-error: without an object there is no default namespace
    await get(Deployment, "web");
    // @ts-expect-error: a Secret may be deleted, not read
    await get(Secret, { namespace: "default", name: "token" });
    // @ts-expect-error: nor applied
    await apply(Secret, { metadata: { namespace: "default", name: "token" } });
    // @ts-expect-error: a Deployment is watched, not written
    await context.patch(Deployment, { namespace: "default", name: "web" }, { merge: {} });
    // @ts-expect-error: there is no object
    context.object;
    // @ts-expect-error: and no status
    context.status;
    return requeueAfter("1m");
  },
});

/** A kind without types: objects are JSON with metadata. */
export const widgets = controller(Widget, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply }) => {
    object.metadata.name.toUpperCase();
    // @ts-expect-error: fields are unknown and must be narrowed first
    object["spec"].replicas;
    await apply(ConfigMap, {
      metadata: { name: object.metadata.name },
      data: { spec: JSON.stringify(object["spec"]) },
    });
    // @ts-expect-error: undeclared kinds stay inaccessible
    await apply(Secret, { metadata: { name: object.metadata.name } });
  },
});

/** `ensure` takes owned kinds, and names them as children are named. */
export const ensuring = controller(Website, {
  owns: [Deployment, ConfigMap],
  uses: [Secret],
  reconcile: async ({ ensure }) => {
    const ensured = await ensure(ConfigMap, "web", () => ({ metadata: { labels }, data: { a: "b" } }));
    ensured.data?.["a"]?.toUpperCase();
    await ensure(Deployment, "web", async () => ({ spec }));
    // @ts-expect-error: Secret is used, not owned
    await ensure(Secret, "web", () => ({}));
    // @ts-expect-error: a child is in the namespace of its owner
    await ensure(ConfigMap, { namespace: "other", name: "web" }, () => ({}));
    // @ts-expect-error: the name is the second argument
    await ensure(ConfigMap, "web", () => ({ metadata: { name: "other" } }));
    // @ts-expect-error: a Deployment has a spec
    await ensure(Deployment, "web", () => ({}));
    // @ts-expect-error: there is no such field
    await ensure(ConfigMap, "web", () => ({ dta: {} }));
  },
});

/** A cluster-scoped owner has no namespace: the name of a child includes it. */
export const ensuringInNamespaces = controller(Tenant, {
  owns: [ConfigMap],
  reconcile: async ({ ensure }) => {
    await ensure(ConfigMap, { namespace: "team", name: "web" }, () => ({ data: {} }));
    // @ts-expect-error: the namespace is missing
    await ensure(ConfigMap, "web", () => ({ data: {} }));
  },
});

/** A selection of an owned kind is owned; its types, its indexes and what it excludes stay. */
export const owningSome = controller(Website, {
  owns: [Deployment, select(Secret, { labels, indexes: { type: ({ type }) => type } })],
  reconcile: async ({ apply, ensure, prune, list, get }) => {
    await apply(Secret, { metadata: { name: "web" }, stringData: { a: "b" } });
    await ensure(Secret, "web", () => ({ type: "Opaque" }));
    (await get(Secret, "web")).data?.["a"]?.toUpperCase();
    await list(Secret, { index: { type: "Opaque" } });
    await prune(Secret, Deployment);
    // @ts-expect-error: there is no such index
    await list(Secret, { index: { host: "a" } });
    // @ts-expect-error: there is no such field
    await apply(Secret, { metadata: { name: "web" }, spec });
    // @ts-expect-error: ConfigMap is not declared
    await apply(ConfigMap, { metadata: { name: "web" } });
  },
});

/** A managed object can be in any scope and namespace, and names its namespace. */
export const managing = controller(Website, {
  owns: [Deployment],
  manages: [Namespace, ConfigMap],
  reconcile: async ({ apply, ensure, create, prune, find, adopt }) => {
    await apply(Namespace, { metadata: { name: "team" } });
    const applied = await apply(ConfigMap, { metadata: { namespace: "team", name: "web" }, data: {} });
    applied.data?.["a"]?.toUpperCase();
    await ensure(ConfigMap, { namespace: "team", name: "web" }, () => ({ data: {} }));
    await create(ConfigMap, { metadata: { namespace: "team", generateName: "web-" } });
    await find(ConfigMap, { namespace: "team", name: "web" });
    await prune(Namespace, ConfigMap, Deployment);
    await apply(Deployment, { metadata: { name: "web" }, spec });
    // @ts-expect-error: a managed object without a namespace
    await apply(ConfigMap, { metadata: { name: "web" } });
    // @ts-expect-error: a managed object without a namespace
    await ensure(ConfigMap, "web", () => ({}));
    // @ts-expect-error: a managed object without a namespace
    await create(ConfigMap, { metadata: { name: "web" } });
    // @ts-expect-error: a Namespace has no namespace
    await apply(Namespace, { metadata: { namespace: "team", name: "team" } });
    // @ts-expect-error: an owned child in another namespace
    await apply(Deployment, { metadata: { namespace: "team", name: "web" }, spec });
    // @ts-expect-error: Secret is neither owned nor managed
    await apply(Secret, { metadata: { namespace: "team", name: "web" } });
    // @ts-expect-error: a managed object has no controller reference
    await adopt(ConfigMap, "web");
  },
});

/** Subresources need their verb of `may`. */
export const subresources = controller(Website, {
  uses: [may(Deployment, "scale"), may(ConfigMap, "update")],
  reconcile: async ({ scale, getScale, update, logs, token }) => {
    (await scale(Deployment, "web", 3)).spec.replicas?.toFixed();
    await getScale(Deployment, "web");
    await update(ConfigMap, { metadata: { name: "web" }, data: {} });
    // @ts-expect-error: the verb update does not allow scale
    await scale(ConfigMap, "web", 3);
    // @ts-expect-error: the verb scale does not allow update
    await update(Deployment, { metadata: { name: "web" }, spec });
    // @ts-expect-error: log is not declared
    await logs(Deployment, "web");
    // @ts-expect-error: token is not declared
    await token(ConfigMap, "web", {});
  },
});
