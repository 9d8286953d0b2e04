import { type Draft, metadataOf, objectAt, type Registry, timestamp, trackWrite } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";
import { type Charge, chargesOf, quotasBucket } from "./quota-charges.js";

/** ResourceQuota: rejects a write that exceeds a quota of its namespace, and adds admitted writes to `status.used` at once. */
export function resourceQuota(registry: Registry): AdmissionPlugin {
  return {
    name: "ResourceQuota",
    reserve(request) {
      const { store, clock } = registry;
      const charges = chargesOf(store.bucket(quotasBucket), request, clock.now());
      if (charges.length === 0) return undefined;
      return () => {
        for (const charge of charges) addUsage(registry, charge);
      };
    },
  };
}

function addUsage(registry: Registry, { record, used }: Charge): void {
  const resource = registry.find("", "v1", quotasBucket);
  if (!resource) return;
  const old = record.object;
  const next = { ...(old as Draft), status: { ...(objectAt(old, "status") as Draft), used: { ...used } } };
  const options = { manager: "kube-apiserver" };
  const time = timestamp(registry.clock);
  const tracked = trackWrite({ resource, old, next, options, time, subresource: "status" });
  registry.store.put(quotasBucket, record.key, record.revision, (revision) => ({
    ...tracked,
    metadata: { ...metadataOf(tracked), resourceVersion: String(revision) },
  }));
}
