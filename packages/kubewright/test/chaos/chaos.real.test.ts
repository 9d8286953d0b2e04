import { testSoak } from "./soak.js";

// KUBEWRIGHT_SOAK_MINUTES for more or less of it, KUBEWRIGHT_SOAK_SEED for another order of faults.
testSoak({
  minutes: Number(process.env["KUBEWRIGHT_SOAK_MINUTES"] ?? 5),
  objects: 2_000,
  seed: Number(process.env["KUBEWRIGHT_SOAK_SEED"] ?? 1),
});
