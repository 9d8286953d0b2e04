import { type FieldError, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type { CustomResourceConversion, ServiceReference, WebhookClientConfig } from "kubewright/k8s/apiextensions/v1";
import type { Decoded } from "../decoded.js";
import { dns1035Label } from "../name-rules.js";

const field = "spec.conversion";
/** kube-apiserver reports the two fields of `webhook` by their names in v1beta1. */
const clientField = `${field}.webhookClientConfig`;
const versionsField = `${field}.conversionReviewVersions`;
const knownReviews = ["v1", "v1beta1"];

/** Validates `spec.conversion`. */
export function checkConversion(conversion: Decoded<CustomResourceConversion>): FieldError[] {
  const { strategy = "", webhook = {} } = conversion;
  const { clientConfig: client, conversionReviewVersions: versions = [] } = webhook;
  const errors: FieldError[] = [];
  if (strategy === "") errors.push(required(`${field}.strategy`));
  else if (strategy !== "None" && strategy !== "Webhook")
    errors.push(notSupported(`${field}.strategy`, strategy, ["None", "Webhook"]));
  if (strategy !== "Webhook") {
    const stray = "should not be set when strategy is not set to Webhook";
    if (client) errors.push(forbidden(clientField, stray));
    if (versions.length > 0) errors.push(forbidden(versionsField, stray));
    return errors;
  }
  if (client) errors.push(...checkClient(client));
  else errors.push(required(clientField, "required when strategy is set to Webhook"));
  errors.push(...checkReviewVersions(versions));
  return errors;
}

function checkClient({ url, service }: Decoded<WebhookClientConfig>): FieldError[] {
  if (url !== undefined && service === undefined) return checkUrl(url, `${clientField}.url`);
  if (url === undefined && service !== undefined) return checkService(service, `${clientField}.service`);
  return [required(clientField, "exactly one of url or service is required")];
}

const formatHint = "; desired format: https://host[/path]";

/** Validates the URL of a webhook. */
function checkUrl(text: string, place: string): FieldError[] {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return [
      required(place, `url must be a valid URL: parse ${JSON.stringify(text)}: invalid URI for request${formatHint}`),
    ];
  }
  const errors: FieldError[] = [];
  if (url.protocol !== "https:")
    errors.push(invalid(place, url.protocol.slice(0, -1), `'https' is the only allowed URL scheme${formatHint}`));
  if (url.host === "") errors.push(invalid(place, url.host, `host must be specified${formatHint}`));
  if (url.username !== "" || url.password !== "")
    errors.push(invalid(place, url.username, "user information is not permitted in the URL"));
  if (url.hash !== "") errors.push(invalid(place, url.hash.slice(1), "fragments are not permitted in the URL"));
  if (url.search !== "")
    errors.push(invalid(place, url.search.slice(1), "query parameters are not permitted in the URL"));
  return errors;
}

function checkService({ name, namespace, port, path }: Decoded<ServiceReference>, place: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!name) errors.push(required(`${place}.name`, "service name is required"));
  if (!namespace) errors.push(required(`${place}.namespace`, "service namespace is required"));
  if (port !== undefined && (port < 1 || port > 65_535))
    errors.push(invalid(`${place}.port`, port, "port is not valid: must be between 1 and 65535, inclusive"));
  if (path && !path.startsWith("/")) errors.push(invalid(`${place}.path`, path, "must start with a '/'"));
  return errors;
}

function checkReviewVersions(versions: readonly string[]): FieldError[] {
  if (versions.length === 0) return [required(versionsField)];
  const errors = versions.flatMap((version, index) => {
    const place = `${versionsField}[${index}]`;
    if (versions.indexOf(version) < index) return [invalid(place, version, "duplicate version")];
    return dns1035Label(version).map((problem) => invalid(place, version, problem));
  });
  if (!versions.some((version) => knownReviews.includes(version)))
    errors.push(invalid(versionsField, versions, `must include at least one of ${knownReviews.join(", ")}`));
  return errors;
}
