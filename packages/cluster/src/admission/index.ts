/**
 * Stages 4 and 6 of 7 · admission: mutating and validating admission plugins.
 *
 * Takes: drafts with managedFields, and later valid objects, from `registry`. Gives: changed drafts, or rejections.
 * Next: `../registry/index.ts`, then `../storage/index.ts`
 *
 * @module
 */
export { AdmissionChain } from "./admission-chain.js";
export type { AdmissionContext, AdmissionPlugin } from "./plugin.js";
export {
  type AdmissionPluginName,
  admissionPlugins,
  type PluginDependencies,
  type PluginSelection,
} from "./plugins.js";
export { type ExpressionWarning, expressionWarnings } from "./policies/index.js";
export type { Reinvocation } from "./reinvocation.js";
export { DefaultAccountWait } from "./service-account/index.js";
export type { WebhookDependencies } from "./webhooks/index.js";
