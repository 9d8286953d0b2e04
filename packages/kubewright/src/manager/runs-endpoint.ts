import { isResource } from "../definition/index.js";
import type { RecordedRun } from "../history/index.js";
import type { AnyController } from "../reconcile/index.js";
import type { EndpointAnswer, EndpointHandler } from "./http-endpoint.js";
import type { RunFilter } from "./running-operator.js";

/** Where the last runs of an object are served. */
const runsPath = "/debug/runs";

/** The operator whose runs are served. */
export interface RunsSource {
  readonly controllers: readonly AnyController[];
  runsOf(which: RunFilter): readonly RecordedRun[];
}

/**
 * Serves `/debug/runs?object=website/shop&namespace=default`: the last runs of an object as JSON, `{ "runs": [...] }`. The kind is named as for kubectl: kind,
 * plural or short name, also with the group; a raw controller by its name. A failure is `{ "error": "..." }`: 400 for an incomplete request, 404
 * for an unknown object, 403 where `isServed` is false, 503 while the operator starts.
 */
export function runsHandler(running: () => RunsSource | undefined, isServed: boolean): EndpointHandler {
  return (url) => (url.pathname === runsPath ? Promise.resolve(respond(url, running(), isServed)) : undefined);
}

function respond({ searchParams }: URL, source: RunsSource | undefined, isServed: boolean): EndpointAnswer {
  if (!isServed) {
    const how = 'set `secureMetrics`, or listen on "127.0.0.1:8080"';
    return failure(403, `Runs are served only with authorization or on a loopback address: ${how}`);
  }
  if (source === undefined) return failure(503, "The operator is starting");
  const object = searchParams.get("object") ?? "";
  const slash = object.indexOf("/");
  const [type, name] = [object.slice(0, slash).toLowerCase(), object.slice(slash + 1)];
  if (slash < 1 || name === "") return failure(400, `"object" must be of the form "website/shop"`);
  const controllers = source.controllers.filter((controller) => typesOf(controller).includes(type));
  if (controllers.length === 0) {
    const known = source.controllers.map((controller) => typesOf(controller)[0]).join(", ");
    return failure(404, `No controller of this operator reconciles "${type}"; it reconciles ${known}`);
  }
  const namespace = searchParams.get("namespace") ?? "default";
  const runs = controllers.flatMap((controller) => {
    const key = controller.kind?.scope === "Namespaced" ? `${namespace}/${name}` : name;
    return source.runsOf({ controller: controller.name, key });
  });
  if (runs.length > 0) return json(200, { runs });
  const where = controllers.some(({ kind }) => kind?.scope === "Namespaced") ? ` in namespace "${namespace}"` : "";
  const why = "it does not exist, another replica reconciles it, or its runs are no longer kept";
  return failure(404, `This process has no run of ${type} "${name}"${where}: ${why}`);
}

/** How a user names what a controller reconciles, the usual name first. */
function typesOf({ kind, name }: AnyController): readonly string[] {
  if (kind === undefined) return [name.toLowerCase()];
  const shortNames = isResource(kind) ? kind.definition.shortNames : [];
  const names = [kind.kind.toLowerCase(), kind.plural, ...shortNames];
  return kind.group === "" ? names : [...names, ...names.map((one) => `${one}.${kind.group}`)];
}

function failure(status: number, error: string): EndpointAnswer {
  return json(status, { error });
}

function json(status: number, body: object): EndpointAnswer {
  return { status, body: `${JSON.stringify(body)}\n`, contentType: "application/json" };
}
