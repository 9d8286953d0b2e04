import { gatewayOperator } from "./index.js";

await gatewayOperator.runFromArgs({ installCRDs: true });
