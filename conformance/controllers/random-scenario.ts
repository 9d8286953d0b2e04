import type { JsonObject } from "@kubewright/core/json";
import { seededRandom } from "@kubewright/testing";
import { daemonSet, deployment, image, replicaSet, statefulSet } from "./objects.js";
import type { Scenario } from "./scenario.js";
import {
  become,
  create,
  newPods,
  patch,
  patchPods,
  type Ref,
  remove,
  removePods,
  type Step,
  scale,
  terminatingPodsHang,
  terminatingPodsStop,
  together,
} from "./step.js";

/** Workload kinds of random scenarios. */
const randomKinds = ["deployment", "replicaset", "statefulset", "daemonset"] as const;

type RandomKind = (typeof randomKinds)[number];

/** Seeded random choices. */
class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  one<T>(first: T, ...others: T[]): T {
    return [first, ...others][this.below(others.length + 1)] ?? first;
  }
}

/** A workload, five to nine random changes, and sometimes its deletion; deterministic for a seed. */
export function randomScenario(seed: number): Scenario {
  const kind = randomKinds[seed % randomKinds.length] ?? "deployment";
  const dice = new Dice(seed);
  const ref: Ref = `${kind}s/web`;
  const steps = [create(objectOf(kind, dice))];
  for (let left = 5 + dice.below(5); left > 0; left--) steps.push(randomStep(kind, ref, dice));
  const policies = ["Foreground", "Background", "Orphan"] as const;
  if (dice.chance(0.5)) steps.push(remove(ref, { propagationPolicy: dice.one(...policies) }));
  return { name: `random ${kind} ${seed}`, steps };
}

function objectOf(kind: RandomKind, dice: Dice): JsonObject {
  const revisionHistoryLimit = dice.one(10, 1, 0);
  const rolling = (rollingUpdate: JsonObject): JsonObject => ({ type: "RollingUpdate", rollingUpdate });
  const limit = () => dice.one<number | string>(0, 1, 2, 3, "25%", "50%");
  switch (kind) {
    case "deployment": {
      const maxUnavailable = limit();
      const maxSurge = maxUnavailable === 0 ? 1 : limit();
      const strategy = dice.chance(0.2) ? { type: "Recreate" } : rolling({ maxSurge, maxUnavailable });
      return deployment("web", { replicas: dice.below(6), strategy, revisionHistoryLimit, paused: dice.chance(0.1) });
    }
    case "replicaset":
      return replicaSet("web", { replicas: dice.below(6) });
    case "statefulset":
      return statefulSet("web", {
        replicas: dice.below(5),
        podManagementPolicy: dice.one("OrderedReady", "Parallel"),
        revisionHistoryLimit,
        updateStrategy: dice.chance(0.2) ? { type: "OnDelete" } : rolling({ partition: dice.one(0, 0, 1, 2) }),
        ordinals: { start: dice.one(0, 0, 3) },
      });
    case "daemonset": {
      const maxSurge = dice.one<number | string>(0, 0, 1, 2, "50%");
      const maxUnavailable = maxSurge === 0 ? dice.one<number | string>(1, 2, "50%") : 0;
      const updateStrategy = dice.chance(0.2) ? { type: "OnDelete" } : rolling({ maxSurge, maxUnavailable });
      return daemonSet("web", { revisionHistoryLimit, updateStrategy });
    }
    default:
      return kind satisfies never;
  }
}

function randomStep(kind: RandomKind, ref: Ref, dice: Dice): Step {
  const anImage = () => patch(ref, image(dice.one("app:1", "app:2", "app:3")));
  const aScale = () => scale(ref, dice.below(6));
  const rolledBack = (revision: string) => ({ "deprecated.deployment.rollback.to": revision });
  const choices: (() => Step)[] = [
    () => newPods(dice.one("ready", "ready", "running", "crashing")),
    () => become({ of: "web", state: "unready", oldest: 1 + dice.below(2) }, dice.one("ready", "ready", "crashing")),
    () => become({ of: "web", state: "unready" }, "ready"),
    () => become({ of: "web", state: "ready", oldest: 1 }, dice.one("running", "exit 1", "succeeded")),
    () => removePods({ of: "web", oldest: 1 + dice.below(2) }),
    () => dice.one(terminatingPodsHang, terminatingPodsStop, terminatingPodsStop),
    () => patchPods({ of: "web", oldest: 1 }, { metadata: { labels: { app: "other" } } }),
    anImage,
    anImage,
  ];
  if (kind !== "daemonset") choices.push(aScale, aScale, () => together(aScale(), anImage()));
  if (kind === "deployment")
    choices.push(
      () => patch(ref, { spec: { paused: dice.one(true, null) } }),
      () => patch(ref, { metadata: { annotations: { note: dice.one("a", "b") } } }),
      () => patch(ref, { metadata: { annotations: rolledBack(dice.one("0", "1")) } }),
    );
  if (kind === "statefulset")
    choices.push(() =>
      patch(ref, { spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: dice.below(4) } } } }),
    );
  return dice.one(anImage, ...choices)();
}
