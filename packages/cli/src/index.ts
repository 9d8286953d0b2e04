/**
 * The `kubewright` command as a function, for embedding.
 *
 * @module
 */
export type { CommandStreams } from "./command-streams.js";
export { runCommand } from "./run-command.js";
