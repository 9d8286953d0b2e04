/**
 * `kubewright dev`: an operator that is reloaded when its files change, on an embedded cluster or on one of the user's contexts.
 *
 * @module
 */
import { createClient, type Operator } from "kubewright";
import type { CommandStreams } from "../command-streams.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { exportedOperator } from "../exported-operator.js";
import { ProjectModule } from "../project-module.js";
import { stopSignal } from "../stop-signal.js";
import { DevOperator } from "./dev-operator.js";
import { type DevTarget, type DevTargetOptions, openTarget } from "./dev-target.js";
import { copySequence, readKeys } from "./keyboard.js";
import { LiveView } from "./live-view.js";
import { Reloads } from "./reloads.js";
import { showEvents } from "./show-events.js";
import { SourceWatch } from "./source-watch.js";
import { TypeCheck } from "./type-check.js";

/** The options of `kubewright dev`. */
export interface DevOptions extends DevTargetOptions {
  readonly typeCheck: boolean;
  readonly output: string;
}

const keysHelp = "f filter · p pause · k copy the kubeconfig line · r reload · q quit";

/** Runs an operator and reloads it, until it is stopped. Rejects when its first version does not load or start. */
export async function devCommand(module: string, options: DevOptions, streams: CommandStreams): Promise<ExitCode> {
  const { out, environment = process.env } = streams;
  const startedMs = performance.now();
  const stop = new AbortController();
  const stopped = AbortSignal.any([stop.signal, streams.signal ?? stopSignal()]);
  // Errors of the project point to its own files and lines.
  process.setSourceMapsEnabled(true);
  const view = new LiveView(streams, options.output);
  await using bundle = new ProjectModule(module);
  // The compiler is a process of its own: meanwhile the cluster starts here.
  const loading = bundle.load();
  loading.catch(() => {});
  await using target = await openTarget(options, environment);
  const loaded = exportedOperator(module, await loading);
  await using developed = new DevOperator({
    transport: target.transport,
    webhooks: target.webhooks,
    logger: view.logger(),
    onRun: (run) => view.run(run),
    signal: stopped,
  });
  await developed.use(loaded);
  printReady(view, target, { operator: loaded, readyMs: performance.now() - startedMs });
  target.startControllers();
  using types = new TypeCheck(module);
  const reloads = new Reloads({ name: module, bundle, developed, view, types: options.typeCheck ? types : undefined });
  using sources = new SourceWatch(() => void reloads.request().then(() => sources.follow(bundle.inputs)));
  sources.follow(bundle.inputs);
  reloads.checkTypes();
  const client = createClient(target.transport);
  const events = showEvents(client, { view, operator: () => developed.operator, signal: stopped });
  using _keys =
    options.output === "text" && out.isTTY === true && process.stdin.isTTY ? keysOf(process.stdin) : undefined;
  await target.untilStopped(stopped);
  stop.abort();
  await events;
  await reloads.settled;
  return exitCodes.done;

  function keysOf(input: typeof process.stdin): Disposable {
    view.note("keys", keysHelp);
    return readKeys(input, {
      filter: (part) => {
        out.write("\r\u001b[K");
        view.filter(part);
      },
      pause: () => view.togglePause(),
      copyKubeconfig: () => {
        out.write(copySequence(target.kubeconfigLine));
        view.note("kubeconfig", `Copied: ${target.kubeconfigLine}`);
      },
      reload: () => void reloads.request(),
      help: () => view.note("keys", keysHelp),
      quit: () => stop.abort(),
      // Replaces the line.
      prompt: (text) => out.write(`\r\u001b[K${text}`),
    });
  }
}

function printReady(
  view: LiveView,
  target: DevTarget,
  { operator, readyMs }: { readonly operator: Operator; readonly readyMs: number },
): void {
  const { name } = operator;
  const { url, kubeconfigFile, webhooks } = target;
  const ms = Math.round(readyMs);
  const lines = [
    `Operator ${view.bold(name)} runs on ${view.bold(url)}, ready in ${ms} ms`,
    ...(kubeconfigFile === undefined ? [] : [`  ${view.bold(target.kubeconfigLine)}`]),
    ...(webhooks === undefined && operator.webhooks.length > 0
      ? ["  Its webhooks are not called: this cluster cannot reach this process"]
      : []),
    "",
  ];
  view.note("ready", lines.join("\n"), { operator: name, url, kubeconfig: kubeconfigFile, readyMs: ms });
}
