/**
 * What runs and mappings can read, by type: each line that must not compile is next to one that must.
 *
 * This file is type-checked and never run. An `@ts-expect-error` without an error fails the check.
 */
import { select } from "../../src/cache/index.js";
import { Deployment } from "../../src/k8s/apps/v1.gen.js";
import { ConfigMap, Namespace, Secret } from "../../src/k8s/core/v1.gen.js";
import { controller, live, untracked } from "../../src/reconcile/index.js";
import { refersTo, watch } from "../../src/route/index.js";
import { Website } from "../website.js";

const labels = { app: "web" };

/** Reads: of cached kinds, untracked ones and the controller's own kind, with selectors of labels and fields. */
export const reading = controller(Website, {
  owns: [Deployment],
  uses: [Secret, untracked(ConfigMap), live(Namespace, { unwatched: true })],
  reconcile: async ({ get, find, list, apply }) => {
    await find(ConfigMap, "settings");
    await list(ConfigMap, { labels: "tier in (web, api)", fields: { "metadata.name": "a" } });
    await list(Secret, { labels: { matchExpressions: [{ key: "tier", operator: "Exists" }] } });
    for (const { spec } of await list(Website, { labels })) spec.image.toUpperCase();
    await get(Website, "other");
    await get(Namespace, "default");
    // @ts-expect-error: the controller's own kind is read, not owned
    await apply(Website, { metadata: { name: "other" }, spec: { image: "web:1" } });
    // @ts-expect-error: there is no such option
    await list(Secret, { selector: "a=b" });
    // @ts-expect-error: a label is a string
    await list(Secret, { labels: { tier: 1 } });
    // @ts-expect-error: an untracked kind is cached, not owned
    await apply(ConfigMap, { metadata: { name: "settings" } });
  },
});
/** An untracked selection has its indexes. */
export const looking = controller(Website, {
  uses: [untracked(select(ConfigMap, { indexes: { host: ({ data }) => data?.["host"] } }))],
  reconcile: async ({ list, find }) => {
    await list(ConfigMap, { index: { host: "a" } });
    // @ts-expect-error: there is no such index
    await list(ConfigMap, { index: { port: "1" } });
    // @ts-expect-error: Secret is not declared
    await find(Secret, "token");
  },
});
// @ts-expect-error: only cached kinds are tracked, so that only they can opt out
untracked(live(Secret));

/** A mapping looks up the kinds and indexes that its watch declares, and nothing else. */
const byHost = select(Website, { indexes: { host: ({ spec }) => spec.host, image: ({ spec }) => spec.image } });
watch(Secret, { reads: [byHost], to: refersTo(Website, "host") });
watch(Secret, { reads: [byHost, ConfigMap], to: refersTo(byHost, "image") });
watch(Secret, {
  reads: [byHost, ConfigMap],
  to: ({ metadata }, cached) => {
    cached.list(ConfigMap, { labels: "a in (b)" });
    // @ts-expect-error: that is an index of Websites
    cached.list(ConfigMap, { index: { host: "a" } });
    // @ts-expect-error: there is no such index
    cached.list(Website, { index: { port: "1" } });
    // @ts-expect-error: Namespace is not declared in `reads`
    cached.list(Namespace);
    return cached.list(Website, { index: { host: metadata.name } }).map((site) => site.metadata.name);
  },
});
// @ts-expect-error: the index is not declared
watch(Secret, { reads: [byHost], to: refersTo(Website, "port") });
// @ts-expect-error: a kind without that index is declared
watch(Secret, { reads: [Website], to: refersTo(Website, "host") });
// @ts-expect-error: nothing is declared
watch(Secret, { to: refersTo(Website, "host") });
// @ts-expect-error: there is no such index of this selection
refersTo(byHost, "port");
