import type { JsonObject } from "@kubewright/core/json";
import { get, post, type Subject, send, subject, testCase, wordingCase } from "../test-case.js";
import { pods } from "./sample-objects.js";

function pod(name: string, containers: readonly string[], spec: JsonObject = {}): JsonObject {
  return {
    metadata: { name },
    spec: { containers: containers.map((one) => ({ name: one, image: "b" })), ...spec },
  };
}

/** What is said before a node is asked for the log of a container. */
export const podLogs: Subject = subject(
  "pod-logs",
  wordingCase(
    "the log of a pod that has no node is empty",
    post(pods, pod("p", ["a"]), { fields: ["metadata.name"] }),
    get(`${pods}/p/log`),
    get(`${pods}/p/log?follow=true`),
    get(`${pods}/p/log?container=a&tailLines=0&timestamps=true&previous=true&limitBytes=1&sinceSeconds=1`),
    get(`${pods}/none/log`),
    send("POST", `${pods}/p/log`, { body: {} }),
    send("DELETE", `${pods}/p/log`),
  ),
  testCase(
    "of several containers one must be named",
    post(pods, pod("p", ["a", "b"], { initContainers: [{ name: "i", image: "b" }] }), { fields: ["metadata.name"] }),
    get(`${pods}/p/log`),
    get(`${pods}/p/log?container=c`),
    get(`${pods}/p/log?container=i`),
    get(`${pods}/p/log?container=b`),
  ),
  wordingCase(
    "options that make no sense are refused before the pod is looked for",
    get(`${pods}/none/log?tailLines=-1&limitBytes=0&sinceSeconds=0`),
    get(`${pods}/none/log?sinceSeconds=5&sinceTime=2026-01-01T00:00:00Z`),
    get(`${pods}/none/log?tailLines=abc`),
    get(`${pods}/none/log?limitBytes=1.5`),
    get(`${pods}/none/log?sinceTime=yesterday`),
    get(`${pods}/none/log?sinceTime=`),
    get(`${pods}/none/log?tailLines=`),
    get(`${pods}/none/log?stream=Stdout`),
    get(`${pods}/none/log?follow=perhaps&unknown=1`),
  ),
  wordingCase(
    "the log of a pod on a node that is not there cannot be had",
    post(pods, pod("p", ["a"], { nodeName: "none-{ns}" }), { fields: ["metadata.name"] }),
    get(`${pods}/p/log`),
  ),
);
