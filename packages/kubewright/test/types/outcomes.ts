/**
 * Shapes of outcomes, verbs of `may` and options, by type: each line that must not compile is next to one that must.
 *
 * This file is type-checked and never run. An `@ts-expect-error` without an error fails the check.
 */
import { z } from "zod";
import { defineResource, ofCluster } from "../../src/definition/index.js";
import { Deployment } from "../../src/k8s/apps/v1.gen.js";
import { Job } from "../../src/k8s/batch/v1.gen.js";
import { ConfigMap, Pod, Secret, ServiceAccount } from "../../src/k8s/core/v1.gen.js";
import { ClusterRole, Role } from "../../src/k8s/rbac/v1.gen.js";
import { operator } from "../../src/manager/index.js";
import { controller, may, rawController } from "../../src/reconcile/index.js";
import { Website } from "../website.js";

const EdgePod = ofCluster("edge", Pod);

/** Each verb of `may` has its function, for its kinds; `bind` and `escalate` of roles have none. */
export const verbs = controller(Website, {
  uses: [
    may(Pod, "bind", "evict", "log", "exec"),
    may(EdgePod, "bind"),
    may(ServiceAccount, "token"),
    may(Role, "bind", "escalate"),
    may(ClusterRole, "bind"),
    may(Deployment, "scale"),
  ],
  reconcile: async ({ bind, evict, logs, exec, token, scale, update, patchStatus }) => {
    await bind(Pod, "web", "node-1");
    await bind(EdgePod, "web", "node-1");
    // @ts-expect-error: of a ClusterRole, bind is an RBAC verb
    await bind(ClusterRole, "view", "node-1");
    // @ts-expect-error: nor of a Role
    await bind(Role, "view", "node-1");
    await evict(Pod, "web");
    // @ts-expect-error: evict is not declared for this kind
    await evict(EdgePod, "web");
    (await logs(Pod, "web", { container: "web", tailLines: 10 })).toUpperCase();
    // @ts-expect-error: there is no such option
    await logs(Pod, "web", { follow: true });
    const { exitCode, stdout } = await exec(Pod, "web", { command: ["ls", "/"], container: "web", stdin: "x" });
    stdout.repeat(exitCode);
    // @ts-expect-error: exec is not declared for this kind
    await exec(EdgePod, "web", { command: ["ls"] });
    // @ts-expect-error: a command is a list of arguments
    await exec(Pod, "web", { command: "ls /" });
    // @ts-expect-error: the signal is the run's
    await exec(Pod, "web", { command: ["ls"], signal: AbortSignal.timeout(1) });
    const { token: issued, expirationTimestamp } = await token(ServiceAccount, "web", { audiences: ["vault"] });
    [issued, expirationTimestamp].map((part) => part.toUpperCase());
    // @ts-expect-error: audiences is a list
    await token(ServiceAccount, "web", { audiences: "vault" });
    await scale(Deployment, "web", 2);
    // @ts-expect-error: replicas is a number
    await scale(Deployment, "web", "2");
    // @ts-expect-error: escalate does not allow update
    await update(Role, { metadata: { name: "web" }, rules: [] });
    // @ts-expect-error: patchStatus is not declared
    await patchStatus(Pod, "web", { merge: { status: {} } });
  },
});

/** A raw controller has the same functions, and names with their namespace. */
export const rawVerbs = rawController({
  name: "drain",
  uses: [may(Pod, "bind", "evict"), may(Role, "bind")],
  reconcile: async ({ bind, evict }) => {
    await bind(Pod, { namespace: "default", name: "web" }, "node-1");
    await evict(Pod, { namespace: "default", name: "web" });
    // @ts-expect-error: a namespaced name needs its namespace
    await evict(Pod, "web");
    // @ts-expect-error: of a Role, bind is an RBAC verb
    await bind(Role, { namespace: "default", name: "web" }, "node-1");
  },
});

/** Own rules of an operator are RBAC rules. */
const rule = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
export const ruled = [
  operator({ name: "a", controllers: [verbs], rules: [rule] }),
  operator({ name: "a", controllers: [verbs], rules: [{ ...rule, resourceNames: ["token"] }] }),
  // @ts-expect-error: a rule has verbs
  operator({ name: "a", controllers: [verbs], rules: [{ apiGroups: [""], resources: ["secrets"] }] }),
  // @ts-expect-error: there is no such field
  operator({ name: "a", controllers: [verbs], rules: [{ ...rule, names: ["token"] }] }),
];

/** Options of `apply`, and what happens when an object is gone. */
export const immutable = controller(Website, {
  owns: [Job, Secret],
  gone: ({ namespace, name }) => void `${namespace}/${name}`,
  reconcile: async ({ apply }) => {
    const spec = { template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } } } as const;
    await apply(Job, { metadata: { name: "a" }, spec }, { onImmutable: "recreate" });
    await apply(Job, { metadata: { name: "a" }, spec }, { onImmutable: "orphan" });
    // @ts-expect-error: there is no such policy
    await apply(Job, { metadata: { name: "a" }, spec }, { onImmutable: "delete" });
  },
});
controller(Website, {
  // @ts-expect-error: only the key is left of it
  gone: ({ spec }) => spec,
  reconcile: () => {},
});

/** Conditions are read and removed by their declared types. */
export const conditioned = controller(Website, {
  reconcile: ({ conditions }) => {
    conditions.get("Ready")?.reason.toUpperCase();
    conditions.remove("Ready");
    // @ts-expect-error: the type is not declared
    conditions.get("Reddy");
    // @ts-expect-error: the type is not declared
    conditions.remove("Reddy");
  },
});

/** A kind of another project, and a kind whose status follows kstatus. */
const versions = { v1: { spec: z.object({ secretName: z.string() }), conditions: { Ready: ["Issued"] as const } } };
export const Certificate = defineResource({ group: "cert-manager.io", kind: "Certificate", external: true, versions });
defineResource({ group: "a.b", kind: "Site", versions: { v1: { ...versions.v1, kstatus: true } } });
// @ts-expect-error: it is a switch
defineResource({ group: "cert-manager.io", kind: "Certificate", external: "yes", versions });

/** An external kind is owned as any other. */
export const issuing = controller(Website, {
  owns: [Certificate],
  reconcile: async ({ apply }) => {
    await apply(Certificate, { metadata: { name: "web" }, spec: { secretName: "web-tls" } });
    // @ts-expect-error: secretName is required
    await apply(Certificate, { metadata: { name: "web" }, spec: {} });
    // @ts-expect-error: ConfigMap is not declared
    await apply(ConfigMap, { metadata: { name: "web" } });
  },
});
