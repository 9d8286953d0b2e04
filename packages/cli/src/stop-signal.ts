/**
 * The signals on which a cluster stops and cleans up.
 *
 * Windows raises SIGINT for Ctrl-C, SIGBREAK for Ctrl-Break and SIGHUP when the console closes; SIGTERM cannot be handled there.
 */
export function stopSignals(platform: NodeJS.Platform): NodeJS.Signals[] {
  return platform === "win32" ? ["SIGINT", "SIGBREAK", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}

/** Aborts on the first of {@link stopSignals}; a second one exits the process at once. */
export function stopSignal(): AbortSignal {
  const abort = new AbortController();
  const onSignal = (): void => {
    if (abort.signal.aborted) process.exit(1);
    abort.abort();
  };
  for (const signal of stopSignals(process.platform)) process.on(signal, onSignal);
  return abort.signal;
}
