import { tenantOperator } from "./index.js";

await tenantOperator.run({ installCRDs: true });
