import type { Area } from "../scenario.js";
import { autoscalerArea } from "./autoscaler.js";
import { certificatesArea } from "./certificates.js";
import { cronJobArea } from "./cron-job.js";
import { daemonSetArea } from "./daemon-set.js";
import { deploymentArea } from "./deployment.js";
import { disruptionArea } from "./disruption.js";
import { endpointsArea } from "./endpoints.js";
import { garbageCollectorArea } from "./garbage-collector.js";
import { jobArea } from "./job.js";
import { namespaceArea } from "./namespace.js";
import { nodeLifecycleArea } from "./node-lifecycle.js";
import { policyStatusArea } from "./policy-status.js";
import { quotaArea } from "./quota.js";
import { replicaSetArea } from "./replica-set.js";
import { schedulerArea } from "./scheduler.js";
import { statefulSetArea } from "./stateful-set.js";
import { volumesArea } from "./volumes.js";

/** Every area; the slowest first, because a recording runs several concurrently. */
export const areas: readonly Area[] = [
  cronJobArea,
  autoscalerArea,
  volumesArea,
  deploymentArea,
  replicaSetArea,
  statefulSetArea,
  jobArea,
  endpointsArea,
  disruptionArea,
  quotaArea,
  namespaceArea,
  certificatesArea,
  policyStatusArea,
  garbageCollectorArea,
  daemonSetArea,
  schedulerArea,
  nodeLifecycleArea,
];
