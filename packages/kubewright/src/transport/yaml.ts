/**
 * The used exports of `yaml`. Import this file with `import()`, so that `yaml` loads with the first kubeconfig. Do not `import()` the package itself:
 * bundlers drop the named exports of a dynamically imported CommonJS module.
 *
 * @module
 */
export { isMap, isSeq, parse, parseDocument } from "yaml";
