import { trackingFinalizer } from "./job-pods.js";

/** The patch that removes the Job tracking finalizer of a Pod, and keeps other finalizers. */
export const removeTrackingFinalizer = {
  strategic: { metadata: { "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] } },
};
