import { andThen, type Eventually, getObject, parseGetVersion } from "../registry/index.js";
import type { VerbCall, VerbResult } from "./verb-call.js";

/** GET of an object or its status. */
export function getVerb({ registry, resource, path, request }: VerbCall): Eventually<VerbResult> {
  const found = getObject(registry.store, resource, path, parseGetVersion(request.query));
  return andThen(found, (object) => ({ kind: "object", status: 200, object }));
}
