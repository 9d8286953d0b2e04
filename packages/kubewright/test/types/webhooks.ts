/**
 * What handlers of webhooks see and may read: each line that must not compile is next to one that must.
 *
 * This file is type-checked and never run. An `@ts-expect-error` without an error fails the check.
 */
import { z } from "zod";
import { dynamic } from "../../src/client/index.js";
import { defineResource } from "../../src/definition/index.js";
import { Deployment } from "../../src/k8s/apps/v1.gen.js";
import { ConfigMap, Pod, Secret } from "../../src/k8s/core/v1.gen.js";
import { live } from "../../src/reconcile/index.js";
import { rawWebhook, webhooks } from "../../src/webhook/index.js";

const Website = defineResource({
  group: "web.example.com",
  kind: "Website",
  hub: "v1",
  versions: {
    v1: { spec: z.object({ image: z.string(), host: z.string().optional() }) },
    v1alpha1: { spec: z.object({ image: z.string(), size: z.int32() }) },
  },
});

webhooks(Website, {
  uses: [ConfigMap, live(Secret)],
  default: async (site, { find, get, list, old, user }) => {
    site.spec.host ??= `${site.metadata.name}.example.com`;
    site.metadata.labels = { team: user.groups[0] ?? "none" };
    // @ts-expect-error an unknown field
    site.spec.hots = "typo";
    // @ts-expect-error of another version
    site.spec.size = 1;
    // @ts-expect-error the server sets it later
    site.metadata.uid.length;
    // @ts-expect-error the stored object is readonly
    if (old) old.spec.image = "x";
    await find(ConfigMap, "settings");
    await get(Secret, { namespace: "other", name: "token" });
    await list(ConfigMap);
    // @ts-expect-error a live kind cannot be listed
    await list(Secret);
    // @ts-expect-error a kind that is not in `uses`
    await find(Pod, "a");
  },
  validate: ({ object, old, deny, warn, operation, dryRun }) => {
    if (old && old.spec.host !== object.spec.host) deny("spec.host", "A host cannot change once it is given");
    deny("spec.image", "is not known", { type: "NotSupported", value: object.spec.image });
    deny("not today");
    deny({ message: "in use", reason: "Conflict", code: 409, causes: [{ field: "spec", message: "a" }] });
    // @ts-expect-error no kind of field error
    deny("spec.image", "is not known", { type: "Wrong" });
    // @ts-expect-error the object is readonly
    object.spec.image = "x";
    // @ts-expect-error never on delete
    if (operation === "delete") warn("x");
    warn(dryRun ? "dry" : object.metadata.uid);
  },
  validateDelete: ({ old, deny }) => {
    if (old.metadata.labels?.["keep"] !== undefined) deny("it is protected");
  },
});

webhooks(Website.v1alpha1, {
  default: (site) => {
    site.spec.size = 1;
    // @ts-expect-error of the hub
    site.spec.host = "x";
  },
});

webhooks(Pod, {
  subresource: "exec",
  connect: ({ object, name, deny }) => {
    if (object.command?.[0] === "rm") deny(`no rm in ${name}`);
    // @ts-expect-error the object of exec is not a Pod
    object.spec;
  },
});

webhooks(Deployment, { subresource: "scale", validate: ({ object }) => void object.spec.replicas?.toFixed() });
webhooks(Pod, { subresource: "status", validate: ({ object }) => void object.status?.phase });
webhooks(Pod, { subresource: "eviction", validate: ({ object }) => void object.deleteOptions?.gracePeriodSeconds });

const Widget = dynamic({ apiVersion: "example.com/v1", kind: "Widget", plural: "widgets", scope: "Namespaced" });
webhooks(Widget, { validate: ({ object, deny }) => void (object["spec"] === undefined && deny("spec", "is missing")) });

rawWebhook({
  name: "any",
  rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
  uses: [ConfigMap],
  validate: async ({ object, request, find }) => {
    void object?.["spec"];
    await find(ConfigMap, { namespace: request.namespace, name: "a" });
    // @ts-expect-error a name without a namespace
    await find(ConfigMap, "a");
  },
});

// @ts-expect-error a policy that does not exist
webhooks(Website, { failurePolicy: "Maybe", validate: () => {} });
