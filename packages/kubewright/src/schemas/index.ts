/**
 * Schemas for definitions beyond zod's own: what Kubernetes' kinds are made of.
 *
 * Takes: nothing. Gives: zod schemas for `../definition/index.ts`
 *
 * @module
 */
export * as k from "./kubernetes-types.js";
