/**
 * The `kubewright` command as a function, for programs that embed it.
 *
 * @module
 */
export { type CommandStreams, runCommand } from "./run-command.js";
