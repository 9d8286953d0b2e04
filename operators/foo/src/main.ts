import { fooOperator } from "./index.js";

await fooOperator.runFromArgs();
