import { databaseOperator } from "./index.js";

await databaseOperator.runFromArgs({ installCRDs: true });
