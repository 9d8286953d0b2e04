import { issuanceOperator } from "./index.js";

// Installs the CRD of SecureSite only; `missingKinds: "wait"` accepts that cert-manager is installed later.
await issuanceOperator.runFromArgs({ installCRDs: true, missingKinds: "wait" });
