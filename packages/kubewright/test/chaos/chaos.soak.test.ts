import { testSoak } from "./soak.js";

// `npm run soak` takes five minutes, or KUBEWRIGHT_SOAK_MINUTES. KUBEWRIGHT_SOAK_SEED repeats the order of faults.
testSoak({
  minutes: Number(process.env["KUBEWRIGHT_SOAK_MINUTES"] ?? 5),
  objects: 2_000,
  seed: Number(process.env["KUBEWRIGHT_SOAK_SEED"] ?? Date.now() % 1_000_000),
});
