import {
  type AdmissionRequest,
  type Draft,
  metadataOf,
  objectAt,
  type Registry,
  timestamp,
  trackWrite,
} from "../registry/index.js";
import { type Charge, chargesOf, quotasBucket } from "./quota-charges.js";

/** ResourceQuota: rejects a write that exceeds a quota of its namespace, and adds admitted writes to `status.used` at once. */
export class ResourceQuotaPlugin {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** See `Admission.reserve`. */
  reserve(request: AdmissionRequest): (() => void) | undefined {
    const { store, clock } = this.#registry;
    const charges = chargesOf(store.bucket(quotasBucket), request, clock.now());
    if (charges.length === 0) return undefined;
    return () => {
      for (const charge of charges) this.#charge(charge);
    };
  }

  #charge({ record, used }: Charge): void {
    const resource = this.#registry.find("", "v1", quotasBucket);
    if (!resource) return;
    const old = record.object;
    const next = { ...(old as Draft), status: { ...(objectAt(old, "status") as Draft), used: { ...used } } };
    const options = { manager: "kube-apiserver" };
    const time = timestamp(this.#registry.clock);
    const tracked = trackWrite({ resource, old, next, options, time, subresource: "status" });
    this.#registry.store.put(quotasBucket, record.key, record.revision, (revision) => ({
      ...tracked,
      metadata: { ...metadataOf(tracked), resourceVersion: String(revision) },
    }));
  }
}
