import { sampleOperator } from "./index.js";

await sampleOperator.runFromArgs();
