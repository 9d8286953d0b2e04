import { type Clock, sleep, systemClock } from "@kubewright/core/clock";
import { isForbidden } from "@kubewright/core/errors";
import type { Client, Operator, ReadOf } from "kubewright";
import { Event } from "kubewright/k8s/events/v1";
import type { LiveView } from "./live-view.js";

/** Where the events come from and go to. */
export interface ShowEventsOptions {
  readonly view: LiveView;
  /** Whose events are shown. */
  readonly operator: () => Operator | undefined;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** A server closes a watch after some minutes, and while it restarts there is none. */
const reopenMs = 1_000;

/** Shows the events that the controllers of the operator record, until the signal aborts. Events from before the start are not shown. */
export async function showEvents(
  client: Client,
  { view, operator, signal, clock = systemClock }: ShowEventsOptions,
): Promise<void> {
  let sinceMs = clock.now();
  let resourceVersion: string | undefined;
  while (!signal.aborted) {
    try {
      const from = resourceVersion === undefined ? {} : { resourceVersion };
      for await (const event of await client.watch(Event, { ...from, signal })) {
        if (event.type === "ERROR") restart();
        if (!("object" in event)) continue;
        resourceVersion = event.object.metadata.resourceVersion;
        if (event.type !== "DELETED") show(event.object);
      }
    } catch (error) {
      if (isForbidden(error)) {
        view.problem("eventsFailed", `Events are not shown: ${error.message}`);
        return;
      }
      restart();
    }
    await sleep(clock, reopenMs, signal);
  }

  /** Perhaps the version is too old: the next watch starts without one, and the events until now are not shown. */
  function restart(): void {
    resourceVersion = undefined;
    sinceMs = clock.now();
  }

  function show(event: ReadOf<typeof Event>): void {
    const { type = "Normal", reason = "", note = "", reportingController, regarding, eventTime, series } = event;
    const isOwn = operator()?.controllers.some(({ name }) => name === reportingController) === true;
    if (!isOwn || Date.parse(series?.lastObservedTime ?? eventTime ?? "") < sinceMs) return;
    const key = [regarding?.namespace, regarding?.name].filter(Boolean).join("/");
    view.event({ type, reason, note, object: `${regarding?.kind ?? ""} ${key}` });
  }
}
