import { FakeClock } from "@kubewright/core/clock";
import { expect, test } from "vitest";
import { WebhookDrain } from "./webhook-drain.js";

const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1" };

function drainIn(environment: NodeJS.ProcessEnv) {
  const clock = new FakeClock();
  const stop = new AbortController();
  const drain = new WebhookDrain({ clock, stopRequested: stop.signal, environment });
  const state = { ended: false };
  const wait = (): Promise<void> =>
    drain.ended().then(() => {
      state.ended = true;
    });
  return { clock, stop, state, wait };
}

test("the webhooks of a pod are served for 5 s after it was asked to stop, however long the rest takes", async () => {
  const { clock, stop, state, wait } = drainIn(pod);
  stop.abort();
  await clock.advance(2_000);
  const ended = wait();
  await clock.advance(2_999);
  expect(state.ended).toBe(false);
  await clock.advance(1);
  await ended;
});

test("the webhooks of a pod end at once when the rest has taken longer, and after a failure", async () => {
  const late = drainIn(pod);
  late.stop.abort();
  await late.clock.advance(20_000);
  const failed = drainIn(pod);
  await Promise.all([late.wait(), failed.wait()]);
});

test("outside of a pod webhooks end at once", async () => {
  const { stop, wait } = drainIn({});
  stop.abort();
  await wait();
});
