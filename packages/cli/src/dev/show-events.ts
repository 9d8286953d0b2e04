import type { Client, Operator } from "kubewright";
import { Event } from "kubewright/k8s/events/v1";
import type { LiveView } from "./live-view.js";

/** Shows the events that the controllers of the operator record, until the signal aborts. Events from before the start are not shown. */
export async function showEvents(
  client: Client,
  {
    view,
    operator,
    signal,
  }: { readonly view: LiveView; readonly operator: () => Operator | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const startedMs = Date.now();
  const isOwn = (name: string | undefined): boolean =>
    operator()?.controllers.some((controller) => controller.name === name) === true;
  try {
    for await (const event of await client.watch(Event, { signal })) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const {
        type = "Normal",
        reason = "",
        note = "",
        reportingController,
        regarding,
        eventTime,
        series,
      } = event.object;
      const atMs = Date.parse(series?.lastObservedTime ?? eventTime ?? "");
      if (!isOwn(reportingController) || atMs < startedMs) continue;
      const key = [regarding?.namespace, regarding?.name].filter(Boolean).join("/");
      view.event({ type, reason, note, object: `${regarding?.kind ?? ""} ${key}` });
    }
  } catch (error) {
    if (!signal.aborted)
      view.problem(
        "eventsFailed",
        `Events are not shown any more: ${error instanceof Error ? error.message : String(error)}`,
      );
  }
}
