import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Dispatcher } from "undici";
import { type OidcProvider, oidcError } from "./oidc-provider.js";

const maxResponseBytes = 1024 * 1024;

/** Tokens from an issuer. */
export interface OidcTokens {
  readonly idToken: string;
  /** Set if the issuer rotates refresh tokens. */
  readonly refreshToken?: string;
}

/**
 * Exchanges a refresh token for a new id-token, at the token endpoint of the issuer's discovery document.
 *
 * Rejects with CONFIG_INVALID if the issuer cannot be reached or rejects the refresh token. Messages never contain a token.
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
    throw oidcError(issuerUrl, `its discovery document returned status ${discovery.status}`);
  if (typeof endpoint !== "string" || endpoint === "")
    throw oidcError(issuerUrl, "its discovery document has no token_endpoint");

  const requestTokens = (header: boolean) => {
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
  // RFC 6749 prefers the header; some issuers accept the client secret in the body only.
  let response = await requestTokens(clientSecret !== "");
  if (clientSecret !== "" && (response.status === 400 || response.status === 401))
    response = await requestTokens(false);
  if (response.status < 200 || response.status > 299) {
    const details = [response.body["error"], response.body["error_description"]].filter(
      (text) => typeof text === "string",
    );
    throw oidcError(
      issuerUrl,
      `it rejected the refresh token with status ${response.status}${details.length > 0 ? ` (${details.join(": ").slice(0, 300)})` : ""}; log in again`,
    );
  }
  const { id_token: idToken, refresh_token: next } = response.body;
  if (typeof idToken !== "string" || idToken === "") {
    throw oidcError(
      issuerUrl,
      `its response has no id_token; log in with the scope "openid", or use an issuer that renews id-tokens`,
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
    const response = await dispatcher.request({
      origin,
      path: pathname + search,
      method,
      signal,
      headers: { accept: "application/json", ...headers },
      body: body ?? null,
    });
    status = response.statusCode;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > maxResponseBytes) throw new Error(`its response is longer than ${maxResponseBytes} bytes`);
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
    if (status >= 200 && status < 300) throw oidcError(issuerUrl, `the response of "${url}" is not JSON`, cause);
    return { status, body: {} };
  }
}
