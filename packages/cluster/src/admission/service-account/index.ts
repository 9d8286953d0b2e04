/**
 * ServiceAccount: the account of a new pod, its token volume, and what mirror pods may refer to.
 *
 * @module
 */
export { type DefaultAccounts, DefaultAccountWait } from "./default-account-wait.js";
export { containersOf, environmentReferences, referredSecrets } from "./referred-secrets.js";
export { serviceAccounts } from "./service-accounts.js";
