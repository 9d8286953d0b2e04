import type { Area } from "../scenario.js";
import { deploymentArea } from "./deployment.js";
import { jobArea } from "./job.js";
import { replicaSetArea } from "./replica-set.js";
import { statefulSetArea } from "./stateful-set.js";

/** Every area. */
export const areas: readonly Area[] = [deploymentArea, replicaSetArea, statefulSetArea, jobArea];
