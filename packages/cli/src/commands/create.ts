import type { CommandLine } from "./command-line.js";
import { addCreateApiCommand } from "./create-api.js";
import { addCreateWebhookCommand } from "./create-webhook.js";

/** Adds `kubewright create`. */
export function addCreateCommands(line: CommandLine): void {
  const create = line.program.command("create").description("Add to a project that `kubewright init` made.");
  addCreateApiCommand(create, line);
  addCreateWebhookCommand(create, line);
}
