/**
 * The issuance operator: owns and observes Certificates of cert-manager, whose CRDs another project installs.
 *
 * @module
 */
import { operator } from "kubewright";
import { expiryController } from "./expiry-controller.js";
import { secureSiteController } from "./secure-site-controller.js";

export { Certificate } from "./certificate.js";
export { SecureSite } from "./secure-site.js";
export { expiryController, secureSiteController };

/** The operator: resource, controllers and permissions. Importing it starts nothing. */
export const issuanceOperator = operator({
  name: "issuance-operator",
  controllers: [secureSiteController, expiryController],
});
