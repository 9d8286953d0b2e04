import { bucketOperator } from "./index.js";

await bucketOperator.runFromArgs();
