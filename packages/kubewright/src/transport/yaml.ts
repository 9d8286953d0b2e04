/**
 * What is used of yaml, which is loaded with the first kubeconfig: import this file with `import()`. Not yaml itself: of a CommonJS module that is
 * loaded so, bundlers keep no names.
 *
 * @module
 */
export { isMap, isSeq, parse, parseDocument } from "yaml";
