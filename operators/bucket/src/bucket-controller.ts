import { type Controller, controller, events, every, type ReadOf } from "kubewright";
import { Bucket } from "./bucket.js";
import type { BucketService, Owner, RemoteBucket } from "./bucket-service.js";

/** Keeps a bucket of the service for each Bucket. */
export function bucketController(service: BucketService): Controller {
  return controller(Bucket, {
    name: "bucket",
    timeout: "30s",
    sources: [
      events((signal) => service.changes(signal)), // a changed bucket reconciles its owner
      every("10m"), // what happened while that connection was down
    ],
    reconcile: async ({ object, status, saveStatus, conditions, event, signal, log }) => {
      const { adopt, versioning } = object.spec;
      const owner = ownerOf(object);
      const name = nameOf(object);
      const wanted = { name, versioning, owner };

      // Look before you create: an earlier run may have crashed between the two.
      let bucket = await service.find(name, signal);
      if (bucket === undefined) {
        if (status.id !== undefined) event("Warning", "BucketLost", `Bucket "${name}" was deleted at the service`);
        bucket = (await service.create(wanted, signal)) ?? (await service.find(name, signal));
        if (bucket?.owner?.uid === owner.uid) event("Normal", "BucketCreated", `Created bucket "${name}"`);
      } else if (bucket.owner === null && adopt) {
        bucket = await service.update(name, { owner }, signal);
        event("Normal", "BucketAdopted", `Took over bucket "${name}", which had no owner`);
      }
      if (bucket?.owner?.uid !== owner.uid) {
        const message = takenMessage(name, bucket);
        if (conditions.get("Ready")?.reason !== "NameTaken") event("Warning", "NameTaken", message);
        conditions.set("Ready", { status: false, reason: "NameTaken", message });
        return; // The next event of the bucket goes to its owner, so `every` retries.
      }

      Object.assign(status, { id: bucket.id, bucketName: name, url: bucket.url });
      await saveStatus(); // the id survives whatever fails from here on
      if (bucket.versioning !== versioning) {
        await service.update(name, { versioning }, signal);
        log.info({ bucket: name, versioning }, "Bucket repaired");
        event("Normal", "BucketRepaired", `Set versioning of bucket "${name}" to ${versioning}`);
      }
      const isReadable = await service.probe(name, signal);
      conditions.set("Ready", { status: isReadable, reason: isReadable ? "Available" : "NotReadable" });
    },
    finalize: async ({ object, conditions, event, signal, requeueAfter }) => {
      const name = nameOf(object);
      const bucket = await service.find(name, signal);
      if (bucket?.owner?.uid !== object.metadata.uid) return undefined; // already gone, or never ours
      if (object.spec.deletionPolicy === "Retain") {
        await service.update(name, { owner: null }, signal);
        return undefined;
      }
      if ((await service.delete(name, signal)) === "deleted") return undefined;
      const message = `Bucket "${name}" still has objects: empty it, or set spec.deletionPolicy to Retain`;
      if (conditions.get("Ready")?.reason !== "NotEmpty") event("Warning", "BucketNotEmpty", message);
      conditions.set("Ready", { status: false, reason: "NotEmpty", message });
      return requeueAfter("1m");
    },
  });
}

function nameOf({ metadata, spec }: ReadOf<typeof Bucket>): string {
  return spec.bucketName ?? `${metadata.namespace}-${metadata.name}`;
}

function ownerOf({ metadata: { namespace = "", name, uid } }: ReadOf<typeof Bucket>): Owner {
  return { namespace, name, uid };
}

function takenMessage(name: string, bucket: RemoteBucket | undefined): string {
  const by = bucket?.owner ? `belongs to Bucket "${bucket.owner.namespace}/${bucket.owner.name}"` : "has no owner";
  const remedy = bucket?.owner === null ? "set spec.adopt to take it over, or choose" : "choose";
  return `A bucket "${name}" exists and ${by}: ${remedy} another spec.bucketName`;
}
