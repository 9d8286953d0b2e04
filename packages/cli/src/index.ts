/**
 * The `kubewright` command as a function, for programs that embed it.
 *
 * @module
 */
export type { CommandStreams } from "./command-streams.js";
export { runCommand } from "./run-command.js";
