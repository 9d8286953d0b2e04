import { ApiFailure, badRequest } from "../../registry/index.js";
import type { ApiResponse } from "../api-request.js";
import type { PodLogOptions } from "../pod-log-options.js";
import type { Forwarder } from "./forwarder.js";
import { hostPort, type KubeletEndpoint } from "./kubelet-endpoint.js";
import { MessageText, textOf } from "./message-text.js";

/** A request for the log of a container. */
export interface KubeletLogRequest {
  readonly kubelet: KubeletEndpoint;
  readonly container: { readonly namespace: string; readonly pod: string; readonly container: string };
  readonly options: PodLogOptions;
  readonly signal: AbortSignal | undefined;
}

const contentType = "text/plain";

/** Longest text of an error that is passed on, as in kube-apiserver. */
const maxErrorLength = 50_000;

/** Largest log in one response; one that is followed has no limit. A kubelet rotates logs at 10 MiB. */
const maxLogBytes = 256 * 1024 * 1024;

/** The log of a container from its kubelet: a stream if it is followed. Rejects with the kubelet's error. */
export async function kubeletLog(
  forwarder: Forwarder,
  { kubelet, container: logged, options, signal }: KubeletLogRequest,
): Promise<ApiResponse> {
  const { namespace, pod, container } = logged;
  const parameters = parametersOf(options).toString();
  const path = `containerLogs/${namespace}/${pod}/${container}${parameters === "" ? "" : `?${parameters}`}`;
  const url = `https://${hostPort(kubelet.host, kubelet.port)}/${path}`;
  const peer = options.isUnverified ? "unverified kubelet" : "kubelet";
  const sent = forwarder.send({ url, peer, isUpgrade: false }, { method: "GET", headers: {}, signal });
  const { message } = await sent.catch((error: Error) => {
    throw new ApiFailure(500, "", `Get ${JSON.stringify(url)}: ${error.message}`);
  });
  const { statusCode: status = 500 } = message;
  if (status < 200 || status > 206) throw kubeletFailure(status, await textOf(message, maxErrorLength), pod);
  if (options.follow) return { kind: "text", chunks: new MessageText(message), contentType };
  return { kind: "whole", status: 200, body: await textOf(message, maxLogBytes), contentType };
}

function parametersOf(options: PodLogOptions): URLSearchParams {
  const { follow, previous, timestamps, sinceSeconds, sinceTime, tailLines, limitBytes } = options;
  const parameters = new URLSearchParams();
  if (follow) parameters.append("follow", "true");
  if (previous) parameters.append("previous", "true");
  if (timestamps) parameters.append("timestamps", "true");
  if (sinceSeconds !== undefined) parameters.append("sinceSeconds", String(sinceSeconds));
  if (sinceTime !== undefined) parameters.append("sinceTime", sinceTime);
  if (tailLines !== undefined) parameters.append("tailLines", String(tailLines));
  if (limitBytes !== undefined) parameters.append("limitBytes", String(limitBytes));
  return parameters;
}

/** The reason and the message of a kubelet's rejection. */
const rejections: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  401: ["Unauthorized", "the server has asked for the client to provide credentials"],
  404: ["NotFound", "the server could not find the requested resource"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
};

function kubeletFailure(status: number, text: string, pod: string): ApiFailure {
  if (status === 400) return badRequest(text);
  if (status === 500)
    return new ApiFailure(500, "InternalError", `Internal error occurred: ${text}`, { causes: [{ message: text }] });
  const unknown = [
    "",
    `the server responded with the status code ${status} but did not return more information`,
  ] as const;
  const [reason, message] = status === 403 ? (["Forbidden", text] as const) : (rejections[status] ?? unknown);
  return new ApiFailure(status, reason, `${message} ( pods/log ${pod})`, { name: pod, kind: "pods/log" });
}
