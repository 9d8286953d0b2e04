import { trackingFinalizer } from "./job-pods.js";

/** The patch that takes the Job's finalizer off a pod, and leaves others. */
export const untracking = { strategic: { metadata: { "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] } } };
