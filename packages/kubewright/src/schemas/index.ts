/**
 * Zod schemas for the common types of Kubernetes APIs.
 *
 * Takes: nothing. Gives: zod schemas for `../definition/index.ts`
 *
 * @module
 */
export * as k from "./kubernetes-types.js";
