import { parseJson } from "@kubewright/core/json";
import { ApiFailure, badRequest } from "../../registry/index.js";
import type { WholeResponse } from "../api-request.js";
import type { ConnectTarget } from "./connect-target.js";
import type { ForwardedRequest, Forwarder } from "./forwarder.js";
import { textOf } from "./message-text.js";

/** Largest response that is read for a client in process. */
const maxBytes = 64 * 1024 * 1024;

/** Forwards a request of this process, and reads the whole response. JSON is parsed, other content types are text. */
export async function readTarget(
  forwarder: Forwarder,
  target: ConnectTarget,
  request: ForwardedRequest,
): Promise<WholeResponse> {
  if (target.isUpgrade) throw badRequest("Upgrade request required");
  const sent = forwarder.send(target, request);
  const { message } = await sent.catch((error: Error) => {
    throw new ApiFailure(503, "ServiceUnavailable", `error trying to reach service: ${error.message}`);
  });
  const text = await textOf(message, maxBytes);
  const { "content-type": contentType = "" } = message.headers;
  const isJson = /^application\/([^;]*\+)?json/.test(contentType);
  return { kind: "whole", status: message.statusCode ?? 502, body: isJson ? parseJson(text) : text, contentType };
}
