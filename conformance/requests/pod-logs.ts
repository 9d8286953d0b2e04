import type { JsonObject } from "@kubewright/core/json";
import { get, type RequestStep, send, subject, wording } from "../test-case.js";
import { createSpec } from "./object-steps.js";
import { container, pods } from "./sample-objects.js";

const name = { fields: ["metadata.name"] };
const createPod = (containers: readonly string[], spec: JsonObject = {}): RequestStep =>
  createSpec(pods, "p", { containers: containers.map((one) => container(one, "b")), ...spec }, name);

/** Validation before the server requests a container's log from the kubelet. */
export const podLogs = subject("pod-logs", {
  "the log of a pod that has no node is empty": wording(
    createPod(["a"]),
    get(`${pods}/p/log`),
    get(`${pods}/p/log?follow=true`),
    get(`${pods}/p/log?container=a&tailLines=0&timestamps=true&previous=true&limitBytes=1&sinceSeconds=1`),
    get(`${pods}/none/log`),
    send("POST", `${pods}/p/log`, { body: {} }),
    send("DELETE", `${pods}/p/log`),
  ),
  "a pod with several containers needs a container name": [
    createPod(["a", "b"], { initContainers: [{ name: "i", image: "b" }] }),
    get(`${pods}/p/log`),
    get(`${pods}/p/log?container=c`),
    get(`${pods}/p/log?container=i`),
    get(`${pods}/p/log?container=b`),
  ],
  "invalid log options are rejected before the pod is looked up": wording(
    ...[
      "tailLines=-1&limitBytes=0&sinceSeconds=0",
      "sinceSeconds=5&sinceTime=2026-01-01T00:00:00Z",
      "tailLines=abc",
      "limitBytes=1.5",
      "sinceTime=yesterday",
      "sinceTime=",
      "tailLines=",
      "stream=Stdout",
      "follow=perhaps&unknown=1",
    ].map((query) => get(`${pods}/none/log?${query}`)),
  ),
  "the log of a pod on a missing node is not available": wording(
    createPod(["a"], { nodeName: "none-{ns}" }),
    get(`${pods}/p/log`),
  ),
});
