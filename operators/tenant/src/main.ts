import { tenantOperator } from "./index.js";

await tenantOperator.runFromArgs({ installCRDs: true });
