/**
 * The bucket operator: creates, checks and deletes buckets of an object storage outside of the cluster.
 *
 * @module
 */
import { type Operator, operator } from "kubewright";
import { bucketController } from "./bucket-controller.js";
import type { BucketService } from "./bucket-service.js";
import { httpBucketService } from "./http-bucket-service.js";

export { Bucket } from "./bucket.js";
export type { BucketService, Owner, RemoteBucket } from "./bucket-service.js";
export { httpBucketService };

/** The operator for one service. */
export function bucketOperatorFor(service: BucketService): Operator {
  return operator({ name: "bucket-operator", controllers: [bucketController(service)] });
}

/** The operator for the service at `BUCKET_SERVICE_URL`. Importing it starts nothing. */
export const bucketOperator = bucketOperatorFor(
  httpBucketService(process.env["BUCKET_SERVICE_URL"] ?? "http://127.0.0.1:9000"),
);
