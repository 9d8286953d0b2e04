import { gatewayOperator } from "./index.js";

await gatewayOperator.run({ installCRDs: true });
