import type { JsonObject } from "@kubewright/core/json";
import {
  ApiFailure,
  type Eventually,
  type Registry,
  type Resource,
  type WatchStream,
  type WriteRequest,
} from "../registry/index.js";
import type { ApiRequest } from "./api-request.js";
import type { ConnectTarget } from "./connect/index.js";
import { accessDenied } from "./request-attributes.js";
import type { ResourcePath } from "./request-path.js";
import type { ShownResource } from "./shown-resource.js";
import { parseWriteOptions, type WriteKind } from "./write-options.js";

/** A request to a served resource. */
export interface VerbCall {
  readonly registry: Registry;
  readonly resource: Resource;
  readonly path: ResourcePath;
  readonly request: ApiRequest;
  /** Collects warnings for the client. */
  warn(text: string): void;
}

/** An object or a list in the version of the resource, or a Status. */
export type ShownResult =
  | {
      readonly kind: "object";
      readonly status: number;
      readonly object: JsonObject;
      /** The resource whose view is used, if it is another one. */
      readonly shownAs?: ShownResource;
    }
  | { readonly kind: "status"; readonly status: number; readonly object: JsonObject }
  | { readonly kind: "list"; readonly status: number; readonly object: JsonObject };

/** The result of a verb: what is shown, a watch, or where the request is forwarded to. */
export type VerbResult =
  | ShownResult
  | { readonly kind: "watch"; readonly stream: WatchStream }
  | { readonly kind: "connect"; readonly target: ConnectTarget };

/** Serves a {@link VerbCall}. Throws the {@link ApiFailure} of a rejection. */
export type Verb = (call: VerbCall) => Eventually<VerbResult>;

/** The write that a call requests. Throws if its options are invalid. */
export function writeRequest(call: VerbCall, kind: WriteKind, name = call.path.name): WriteRequest {
  const { registry, resource, path, request } = call;
  const target = { namespace: path.namespace, name, subresource: path.subresource };
  const options = parseWriteOptions(call, kind);
  if (kind === "CreateOptions") return { context: registry, resource, target, body: request.body, options };
  const authorizeCreate = (): void => requireCreate(call, name);
  return { context: registry, resource, target, body: request.body, options: { ...options, authorizeCreate } };
}

/** Throws a 403 if the user may not create what the request names. */
export function requireCreate({ registry, path, request }: VerbCall, name = path.name): void {
  if (request.isTrusted === true) return;
  const { group, namespace, plural, subresource } = path;
  const attributes = {
    kind: "resource",
    verb: "create",
    group,
    resource: plural,
    namespace,
    name,
    subresource,
  } as const;
  const { allowed, reason } = registry.authorizer.authorize(request.user, attributes);
  if (!allowed) throw accessDenied(request.user, attributes, reason);
}

/** The media type of a request body, without parameters. */
export function contentTypeOf({ headers }: ApiRequest): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim() ?? "";
}

/** 405: the resource exists, but does not support the verb. For custom resources the message names the verb. */
export function wrongMethod(resource?: Resource, verb = ""): ApiFailure {
  if (resource?.origin === "custom") {
    const { group, plural } = resource;
    const text = `${verb} is not supported on resources of kind "${plural}.${group}"`;
    return new ApiFailure(405, "MethodNotAllowed", text, { group, kind: plural });
  }
  return new ApiFailure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}
