import type { JsonObject, JsonValue } from "@kubewright/core/json";

/** What the scripted webhook responds to an AdmissionReview. By default it admits. */
export interface AdmissionScript {
  /** The operations of a JSON patch; sent in base64 with its patchType. */
  readonly patch?: JsonValue;
  /** Sent as the patch, in base64, instead of `patch`. */
  readonly patchText?: string;
  /** @default "JSONPatch" with a patch; null: none */
  readonly patchType?: string | null;
  /** Denies, with this Status. */
  readonly deny?: JsonObject;
  readonly warnings?: readonly string[];
  /** Paths into the review (`request.object.metadata.name`): each value is sent as a warning. */
  readonly echo?: readonly string[];
  /** Merged into the response. */
  readonly response?: JsonObject;
  /** Merged into the review. */
  readonly review?: JsonObject;
  /** The HTTP status. @default 200 */
  readonly status?: number;
  /** Sent as the body instead of a review. */
  readonly text?: string;
  /** Waits before it responds. */
  readonly delayMs?: number;
  /** Closes the connection without a response. */
  readonly hangUp?: boolean;
}

/** What the scripted webhook responds to a ConversionReview. By default it renames `spec.size` of v1 to `spec.count` of v2. */
export interface ConversionScript {
  /** Merged into each converted object, after the conversion. */
  readonly object?: JsonObject;
  /** Merged into the metadata of each converted object. */
  readonly metadata?: JsonObject;
  /** Only conversions to this version follow the script; others are conversions by default. @default every version */
  readonly to?: string;
  /** Merged into the response. */
  readonly response?: JsonObject;
  /** Merged into the review. */
  readonly review?: JsonObject;
  /** How many objects of the response are missing. @default 0 */
  readonly missing?: number;
  readonly status?: number;
  readonly text?: string;
}

/** The URL of a webhook that follows a script. `{hooks}` is the address of the server. */
export function admissionUrl(script: AdmissionScript): string {
  return `{hooks}/admit/${encode(script)}`;
}

/** The URL of a conversion webhook that follows a script. */
export function conversionUrl(script: ConversionScript): string {
  return `{hooks}/convert/${encode(script)}`;
}

function encode(script: AdmissionScript | ConversionScript): string {
  return Buffer.from(JSON.stringify(script)).toString("base64url");
}
