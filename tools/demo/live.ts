import type { Client, Operator, RecordedRun } from "kubewright";
import { copySequence, readKeys } from "../../packages/cli/src/dev/keyboard.js";
import { LiveView } from "../../packages/cli/src/dev/live-view.js";
import { showEvents } from "../../packages/cli/src/dev/show-events.js";

const keysHelp = "f filter · p pause · k copy the kubeconfig line · q quit";

/** The live view of `kubewright dev`, for the operators of the demo: from `show` on it prints each run and event, until q or a signal. */
export class DemoView {
  readonly #view = new LiveView({ out: process.stdout, err: process.stderr }, "text");
  #isShown = false;

  /** Takes every run, also those before `show`, which the demo tells in its own words. */
  readonly onRun = (run: RecordedRun): void => {
    if (this.#isShown) this.#view.run(run);
  };

  /** Resolves when the user quits. */
  async show(client: Client, operators: readonly Operator[], kubeconfigLine: string): Promise<void> {
    this.#isShown = true;
    const view = this.#view;
    view.note("keys", `\n${view.bold("Live view")} of the runs of both operators · ${keysHelp}\n`);
    const stop = new AbortController();
    const events = operators.map((operator) =>
      showEvents(client, { view, operator: () => operator, signal: stop.signal }),
    );
    const quit = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve(), { once: true }));
    const onSignal = (): void => stop.abort();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, onSignal);
    using _keys = process.stdin.isTTY ? this.#keys(stop, kubeconfigLine) : undefined;
    await quit;
    await Promise.all(events);
  }

  #keys(stop: AbortController, kubeconfigLine: string): Disposable {
    const view = this.#view;
    return readKeys(process.stdin, {
      filter: (part) => {
        process.stdout.write("\r\u001b[K");
        view.filter(part);
      },
      pause: () => view.togglePause(),
      copyKubeconfig: () => {
        process.stdout.write(copySequence(kubeconfigLine));
        view.note("kubeconfig", `Copied: ${kubeconfigLine}`);
      },
      reload: () => view.note("keys", "The demo has nothing to reload: kubewright dev does, in a project of yours"),
      help: () => view.note("keys", keysHelp),
      quit: () => stop.abort(),
      prompt: (text) => process.stdout.write(`\r\u001b[K${text}`),
    });
  }
}
