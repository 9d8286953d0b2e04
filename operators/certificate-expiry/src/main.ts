import { certificateExpiryOperator } from "./index.js";

await certificateExpiryOperator.runFromArgs();
