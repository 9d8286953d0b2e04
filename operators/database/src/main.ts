import { databaseOperator } from "./index.js";

await databaseOperator.run({ installCRDs: true });
