#!/usr/bin/env node
import { runCommand } from "@kubewright/cli";

// `npm create kubewright my-operator -- --kind Website` is `kubewright init my-operator --kind Website`.
process.exitCode = await runCommand(["init", ...process.argv.slice(2)]);
