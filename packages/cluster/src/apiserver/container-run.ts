import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { badRequest, listAt, metadataOf, objectAt, textAt } from "../registry/index.js";

/** One run of a container, from start to termination. */
export interface ContainerRun {
  readonly container: string;
  readonly startedMs: number;
  /** Undefined while it runs. */
  readonly endedMs: number | undefined;
}

/** The requested container. Throws kube-apiserver's rejection if the name is unknown, or missing although there are several. */
export function chooseContainer(pod: JsonObject, named: string): string {
  const spec = objectAt(pod, "spec");
  const name = textAt(metadataOf(pod), "name");
  const namesIn = (list: string): string[] => objectsIn(spec, list).map((one) => textAt(one, "name"));
  const all = ["initContainers", "containers", "ephemeralContainers"].flatMap(namesIn);
  if (named !== "") {
    if (!all.includes(named)) throw badRequest(`container ${named} is not valid for pod ${name}`);
    return named;
  }
  const [only, ...more] = namesIn("containers");
  if (only !== undefined && more.length === 0) return only;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(" ")}]`);
}

/** The container run whose log is requested. Throws the kubelet's error if there is none. */
export function containerRun(pod: JsonObject, container: string, previous: boolean): ContainerRun {
  const status = statusOf(pod, container);
  const where = `container ${JSON.stringify(container)} in pod ${JSON.stringify(textAt(metadataOf(pod), "name"))}`;
  if (status === undefined) throw badRequest(`${where} is not available`);
  const { running, terminated, waiting } = statesOf(status, "state");
  const { terminated: last } = statesOf(status, "lastState");
  if (previous) {
    if (last === undefined) throw badRequest(`previous terminated ${where} not found`);
    return asRun(container, last);
  }
  const run = running ?? terminated ?? last;
  if (run !== undefined) return asRun(container, run);
  const reason = textAt(waiting ?? {}, "reason");
  if (waiting === undefined) throw badRequest(`${where} is waiting to start - no logs yet`);
  throw badRequest(`${where} is waiting to start: ${whyWaiting[reason] ?? reason}`);
}

const whyWaiting: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: "trying and failing to pull image",
};

/** The current state of an earlier run; undefined if the Pod status no longer shows it. */
export function sameRun(pod: JsonObject, { container, startedMs }: ContainerRun): ContainerRun | undefined {
  const status = statusOf(pod, container);
  if (status === undefined) return undefined;
  const { running, terminated } = statesOf(status, "state");
  return [running, terminated, statesOf(status, "lastState").terminated]
    .filter((state) => state !== undefined)
    .map((state) => asRun(container, state))
    .find((run) => run.startedMs === startedMs);
}

function asRun(container: string, state: JsonObject): ContainerRun {
  const finishedAt = textAt(state, "finishedAt");
  return {
    container,
    startedMs: Date.parse(textAt(state, "startedAt")) || 0,
    endedMs: finishedAt === "" ? undefined : Date.parse(finishedAt),
  };
}

function statesOf(status: JsonObject, key: "state" | "lastState") {
  const state = objectAt(status, key);
  const part = (name: string): JsonObject | undefined => {
    const value = state[name];
    return isJsonObject(value) ? value : undefined;
  };
  return { running: part("running"), terminated: part("terminated"), waiting: part("waiting") };
}

function statusOf(pod: JsonObject, container: string): JsonObject | undefined {
  const status = objectAt(pod, "status");
  return ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"]
    .flatMap((list) => objectsIn(status, list))
    .find((one) => textAt(one, "name") === container);
}

function objectsIn(parent: JsonObject, list: string): JsonObject[] {
  return listAt(parent, list).filter(isJsonObject);
}
