import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Dispatcher } from "undici";
import { type OidcProvider, oidcError } from "./oidc-provider.js";

const maxAnswerBytes = 1024 * 1024;

/** Tokens that an issuer gave. */
export interface OidcTokens {
  readonly idToken: string;
  /** A new one, where the issuer replaces it at each use. */
  readonly refreshToken?: string;
}

/**
 * Trades a refresh token for a new id-token, at the token endpoint that the issuer's discovery document names.
 *
 * Rejects with CONFIG_INVALID when the issuer cannot be asked or refuses; no token stands in the message.
 */
export async function refreshOidcTokens(
  provider: OidcProvider & { readonly refreshToken: string },
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<OidcTokens> {
  const { issuerUrl, clientId, clientSecret = "", refreshToken } = provider;
  const ask = (url: string, options: { method: "GET" | "POST"; headers?: Record<string, string>; body?: string }) =>
    exchange(issuerUrl, url, dispatcher, { ...options, signal });
  const discovery = await ask(`${issuerUrl.replace(/\/$/, "")}/.well-known/openid-configuration`, { method: "GET" });
  const endpoint = discovery.body["token_endpoint"];
  if (discovery.status !== 200)
    throw oidcError(issuerUrl, `its discovery document was answered with status ${discovery.status}`);
  if (typeof endpoint !== "string" || endpoint === "")
    throw oidcError(issuerUrl, "its discovery document has no token_endpoint");

  const trade = (header: boolean) => {
    const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
    if (!header) form.set("client_id", clientId);
    if (!header && clientSecret !== "") form.set("client_secret", clientSecret);
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");
    return ask(endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(header && { authorization: `Basic ${basic}` }),
      },
      body: form.toString(),
    });
  };
  // RFC 6749 prefers the header, and issuers differ: who refuses it gets the same in the body.
  let answer = await trade(clientSecret !== "");
  if (clientSecret !== "" && (answer.status === 400 || answer.status === 401)) answer = await trade(false);
  if (answer.status < 200 || answer.status > 299) {
    const said = [answer.body["error"], answer.body["error_description"]].filter((text) => typeof text === "string");
    throw oidcError(
      issuerUrl,
      `it refused the refresh token with status ${answer.status}${said.length > 0 ? ` (${said.join(": ").slice(0, 300)})` : ""}; log in again`,
    );
  }
  const { id_token: idToken, refresh_token: next } = answer.body;
  if (typeof idToken !== "string" || idToken === "") {
    throw oidcError(
      issuerUrl,
      `its answer has no id_token; log in with the scope "openid", or use an issuer that renews id-tokens`,
    );
  }
  return { idToken, ...(typeof next === "string" && next !== "" && { refreshToken: next }) };
}

async function exchange(
  issuerUrl: string,
  url: string,
  dispatcher: Dispatcher,
  options: { method: "GET" | "POST"; headers?: Record<string, string>; body?: string; signal: AbortSignal },
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  let status: number;
  let text: string;
  try {
    const { origin, pathname, search } = new URL(url);
    const { headers, body, method, signal } = options;
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method,
      signal,
      headers: { accept: "application/json", ...headers },
      body: body ?? null,
    });
    status = answer.statusCode;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of answer.body) {
      length += chunk.length;
      if (length > maxAnswerBytes) throw new Error(`its answer is longer than ${maxAnswerBytes} bytes`);
      chunks.push(chunk);
    }
    text = Buffer.concat(chunks).toString("utf8");
  } catch (cause) {
    throw oidcError(issuerUrl, cause instanceof Error ? cause.message : String(cause), cause);
  }
  try {
    const body: unknown = JSON.parse(text);
    return { status, body: isJsonObject(body) ? body : {} };
  } catch (cause) {
    if (status >= 200 && status < 300) throw oidcError(issuerUrl, `the answer of "${url}" is not JSON`, cause);
    return { status, body: {} };
  }
}
