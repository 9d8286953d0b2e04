import { testSoak } from "./soak.js";

// As long as CI can afford; `npm run soak` takes longer.
testSoak({ minutes: 1.5, objects: 500, seed: 1 });
