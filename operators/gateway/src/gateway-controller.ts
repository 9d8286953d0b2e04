import { createHash } from "node:crypto";
import { controller, select } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { Secret } from "kubewright/k8s/core/v1";
import { Gateway, Route } from "./gateway.js";

/**
 * Reconciles the configuration of a Gateway from its Routes and the Secrets that they name.
 *
 * No mapping function: the list of Routes and each Secret are tracked reads. A Route that starts or stops to name this Gateway, and a Secret that appears,
 * changes or disappears, trigger a run of this Gateway only.
 */
export const gatewayController = controller(Gateway, {
  owns: [Deployment, Secret],
  uses: [select(Route, { indexes: { gateway: ({ spec }) => spec.gateway } })],
  reconcile: async ({ object, apply, find, list, conditions, status }) => {
    const { name } = object.metadata;
    const routes = await list(Route, { index: { gateway: name } });
    const lines: string[] = [];
    const files: Record<string, string> = {};
    const missing = new Set<string>();
    for (const { metadata, spec } of routes) {
      const secret = spec.tlsSecret === undefined ? undefined : await find(Secret, spec.tlsSecret);
      if (spec.tlsSecret !== undefined && secret === undefined) {
        missing.add(spec.tlsSecret);
        continue; // The other Routes are served.
      }
      lines.push(`${spec.host} -> ${spec.service}${secret ? ` (tls ${metadata.name})` : ""}`);
      for (const key of ["tls.crt", "tls.key"]) {
        const value = secret?.data?.[key];
        if (value !== undefined) files[`${metadata.name}-${key}`] = value;
      }
    }
    const config = lines.toSorted().join("\n");
    const data = { ...files, "routes.conf": Buffer.from(config).toString("base64") };
    await apply(Secret, { metadata: { name: `${name}-config` }, data });

    const labels = { gateway: name };
    const checksum = createHash("sha256").update(JSON.stringify(data)).digest("hex");
    await apply(Deployment, {
      metadata: { name },
      spec: {
        replicas: object.spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { "gw.example.com/config-checksum": checksum } },
          spec: {
            containers: [
              {
                name: "gateway",
                image: object.spec.image,
                volumeMounts: [{ name: "config", mountPath: "/etc/gateway", readOnly: true }],
              },
            ],
            volumes: [{ name: "config", secret: { secretName: `${name}-config` } }],
          },
        },
      },
    });
    status.routes = lines.length;
    if (missing.size === 0) conditions.set("Ready", { status: true, reason: "Programmed" });
    else {
      const message = `Secrets that do not exist: ${[...missing].toSorted().join(", ")}`;
      conditions.set("Ready", { status: false, reason: "SecretMissing", message });
    }
  },
});

/** Reports to a Route whether its Gateway exists. */
export const routeController = controller(Route, {
  uses: [Gateway],
  reconcile: async ({ object, find, conditions }) => {
    const gateway = await find(Gateway, object.spec.gateway);
    conditions.set("Accepted", { status: gateway !== undefined, reason: gateway ? "Attached" : "GatewayMissing" });
  },
});
