import { ApiFailure, type Resource } from "../registry/index.js";

/** The representation of objects that a client requests. */
export type View = "object" | "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";

/** The apiVersion of tables and partial metadata. */
export type MetaVersion = "meta.k8s.io/v1" | "meta.k8s.io/v1beta1";

/** A view and its apiVersion. */
export interface ChosenView {
  readonly view: View;
  readonly metaVersion: MetaVersion;
}

const views: readonly string[] = ["Table", "PartialObjectMetadata", "PartialObjectMetadataList"];

/** One entry of an `Accept` header. */
export interface AcceptedType {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The entries of an `Accept` header, by preference. */
export function parseAccept(header: string | undefined): AcceptedType[] {
  if (header === undefined || header.trim() === "") return [{ type: "*/*", parameters: {} }];
  const entries = header.split(",").map((entry, order) => {
    const [type = "", ...rest] = entry.split(";").map((part) => part.trim());
    const parameters: [string, string][] = rest.map((part) => {
      const equals = part.indexOf("=");
      return equals < 0 ? [part, ""] : [part.slice(0, equals), part.slice(equals + 1)];
    });
    const found = Object.fromEntries(parameters);
    return { type: type.toLowerCase(), parameters: found, order, quality: Number(found["q"] ?? "1") };
  });
  return entries.filter((entry) => entry.quality !== 0).sort((a, b) => b.quality - a.quality || a.order - b.order);
}

/** Whether a media type matches JSON. */
export function takesJson(type: string): boolean {
  return type === "application/json" || type === "application/*" || type === "*/*";
}

/** Whether a media type matches JSON or YAML, which are encoded from the same values. */
function takesText(type: string): boolean {
  return takesJson(type) || type === "application/yaml";
}

/**
 * The first view that the client accepts and this server supports, as JSON or YAML.
 *
 * Throws a 406 if there is none. Protobuf responses are not supported; clients that prefer protobuf also accept JSON.
 */
export function chooseView(header: string | undefined, origin: Resource["origin"]): ChosenView {
  return header === undefined || header === "application/json" ? plainView : chooseFrom(header, origin);
}

const plainView: ChosenView = { view: "object", metaVersion: "meta.k8s.io/v1" };

const offered = "application/json, application/yaml";

function chooseFrom(header: string, origin: Resource["origin"]): ChosenView {
  const accepted = parseAccept(header);
  // For built-in kinds, go-restful rejects the media type before kube-apiserver negotiates.
  if (origin === "builtin" && !accepted.some(({ type }) => takesText(type)))
    throw new ApiFailure(406, "NotAcceptable", `406: Not Acceptable\n\nAvailable representations: ${offered}`, {});
  for (const { type, parameters } of accepted) {
    if (!takesText(type)) continue;
    const as = parameters["as"];
    if (as === undefined) return plainView;
    const version = parameters["v"];
    const isMeta = parameters["g"] === "meta.k8s.io" && (version === "v1" || version === "v1beta1");
    if (isMeta && views.includes(as)) return { view: as as View, metaVersion: `meta.k8s.io/${version}` };
  }
  throw notAcceptable(`only the following media types are accepted: ${offered}`);
}

/** 406: the server supports no representation that the client accepts. */
export function notAcceptable(why: string): ApiFailure {
  return new ApiFailure(406, "NotAcceptable", why);
}
