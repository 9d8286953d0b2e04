import type { Clock } from "@kubewright/core/clock";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Store } from "../storage/index.js";
import type { Authentication, Authenticator } from "./authenticator.js";
import { serviceAccountUser, type User } from "./user.js";

/** Verifies the signatures of JWTs. */
export interface TokenVerifier {
  /** The `iss` claim of its tokens, and the audience of the API server. */
  readonly issuer: string;
  /** The claims of a token; undefined if another issuer signed it, or if it is no JWT. Throws if the signature is invalid. */
  verify(token: string): JsonObject | undefined;
}

/** What {@link serviceAccountTokens} needs. */
export interface TokenSources {
  readonly verifier: TokenVerifier;
  /** Has the ServiceAccounts, and the Pods, Nodes and Secrets that tokens are bound to. */
  readonly store: Store;
  readonly clock: Clock;
}

/** Tolerated difference between the clocks of issuer and verifier; also how long a deleted object stays valid. */
const leewayMs = 60_000;

/** Number of cached tokens, whose signature need not be verified again. */
const maxCached = 1_000;

/** A token whose signature is valid. */
interface VerifiedToken {
  readonly claims: JsonObject;
  readonly user: User;
}

/**
 * Authenticates ServiceAccount tokens: signature, audience and expiry, and that the ServiceAccount and the bound Pod, Node or Secret exist
 * with the same uid. The last two are checked for each request, the signature once.
 */
export function serviceAccountTokens({ verifier, store, clock }: TokenSources): Authenticator {
  const cached = new Map<string, VerifiedToken>();
  const verified = (token: string): VerifiedToken | undefined => {
    const known = cached.get(token);
    if (known !== undefined) return known;
    const claims = verifier.verify(token);
    if (claims === undefined) return undefined;
    if (cached.size >= maxCached) cached.clear();
    const result = { claims, user: userOf(claims) };
    cached.set(token, result);
    return result;
  };
  return {
    authenticate({ bearerToken, audiences = [verifier.issuer] }): Authentication {
      if (bearerToken === undefined) return { kind: "none" };
      try {
        const token = verified(bearerToken);
        if (token === undefined) return { kind: "none" };
        const shared = matchingAudiences(token.claims, audiences, verifier.issuer);
        checkTimes(token.claims, clock.now());
        checkObjects(token.claims, store, clock.now());
        return { kind: "user", user: token.user, audiences: shared };
      } catch (error) {
        return { kind: "error", why: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

/** Tokens in Secrets have no audience: they are for the API server. */
function matchingAudiences({ aud }: JsonObject, requested: readonly string[], issuer: string): readonly string[] {
  const given = strings(aud ?? issuer);
  const shared = given.filter((one) => requested.includes(one));
  if (shared.length > 0) return shared;
  const quoted = (all: readonly string[]): string => `[${all.map((one) => JSON.stringify(one)).join(" ")}]`;
  throw new Error(`token audiences ${quoted(given)} is invalid for the target audiences ${quoted(requested)}`);
}

function checkTimes({ exp, nbf, iat }: JsonObject, nowMs: number): void {
  if (typeof nbf === "number" && nowMs + leewayMs < nbf * 1_000)
    throw new Error("service account token is not valid yet");
  if (typeof exp === "number" && nowMs - leewayMs > exp * 1_000) throw new Error("service account token has expired");
  if (typeof iat === "number" && nowMs + leewayMs < iat * 1_000)
    throw new Error("service account token is issued in the future");
}

/** Throws unless the ServiceAccount and the object that the token is bound to exist. */
function checkObjects(claims: JsonObject, store: Store, nowMs: number): void {
  const { namespace, serviceaccount, pod, secret, node } = bindingOf(claims);
  const account = metadataOf(store, "serviceaccounts", `${namespace}/${serviceaccount.name}`);
  if (account === undefined) throw new Error(`serviceaccounts ${JSON.stringify(serviceaccount.name)} not found`);
  if (account.uid !== serviceaccount.uid)
    throw new Error(`service account UID (${account.uid}) does not match claim (${serviceaccount.uid})`);
  if (isGone(account, nowMs)) throw new Error(`service account ${namespace}/${serviceaccount.name} has been deleted`);
  const bound: (readonly [kind: string, bucket: string, ref: Ref | undefined, key: string])[] = [
    ["secret", "secrets", secret, `${namespace}/${secret?.name}`],
    ["pod", "pods", pod, `${namespace}/${pod?.name}`],
    // A token that is bound to a Pod only names its node.
    ["node", "nodes", pod === undefined ? node : undefined, String(node?.name)],
  ];
  for (const [kind, bucket, ref, key] of bound) {
    if (ref === undefined) continue;
    const found = metadataOf(store, bucket, key);
    const isSame = ref.uid === "" || found?.uid === ref.uid;
    if (found === undefined || (isSame && isGone(found, nowMs)))
      throw new Error("service account token has been invalidated");
    if (!isSame)
      throw new Error(`${kind} UID (${found.uid}) does not match service account ${kind} ref claim (${ref.uid})`);
  }
}

function userOf(claims: JsonObject): User {
  const { namespace, serviceaccount, pod, node } = bindingOf(claims);
  const extra: Record<string, readonly string[]> = {};
  const add = (key: string, value: string | undefined): void => {
    if (value !== undefined && value !== "") extra[`authentication.kubernetes.io/${key}`] = [value];
  };
  const { jti } = claims;
  if (typeof jti === "string" && jti !== "") add("credential-id", `JTI=${jti}`);
  add("pod-name", pod?.name);
  add("pod-uid", pod?.uid);
  add("node-name", node?.name);
  add("node-uid", node?.uid);
  return serviceAccountUser(namespace, serviceaccount.name, { uid: serviceaccount.uid, extra });
}

interface Ref {
  readonly name: string;
  readonly uid: string;
}

interface BoundClaims {
  readonly namespace: string;
  readonly serviceaccount: Ref;
  readonly pod: Ref | undefined;
  readonly secret: Ref | undefined;
  readonly node: Ref | undefined;
}

/** The private claims of a token. */
function bindingOf(claims: JsonObject): BoundClaims {
  const secretClaims = claimsOfSecret(claims);
  if (secretClaims !== undefined) return secretClaims;
  const own = claims["kubernetes.io"];
  const { namespace, serviceaccount, pod, secret, node } = isJsonObject(own) ? own : {};
  return {
    namespace: text(namespace),
    serviceaccount: refOf(serviceaccount) ?? { name: "", uid: "" },
    pod: refOf(pod),
    secret: refOf(secret),
    node: refOf(node),
  };
}

/** The claims of a token in a Secret of type service-account-token, without the uid of the Secret; undefined for other tokens. */
function claimsOfSecret(claims: JsonObject): BoundClaims | undefined {
  const [namespace, secret, name, uid] = [
    "namespace",
    "secret.name",
    "service-account.name",
    "service-account.uid",
  ].map((field) => text(claims[`kubernetes.io/serviceaccount/${field}`])) as [string, string, string, string];
  if (namespace === "") return undefined;
  return {
    namespace,
    serviceaccount: { name, uid },
    secret: { name: secret, uid: "" },
    pod: undefined,
    node: undefined,
  };
}

function refOf(value: unknown): Ref | undefined {
  return isJsonObject(value) ? { name: text(value["name"]), uid: text(value["uid"]) } : undefined;
}

interface StoredIdentity {
  readonly uid: string;
  readonly deletionTimestamp: string;
}

function metadataOf(store: Store, bucket: string, key: string): StoredIdentity | undefined {
  const metadata = store.bucket(bucket).get(key)?.object["metadata"];
  if (!isJsonObject(metadata)) return undefined;
  return { uid: text(metadata["uid"]), deletionTimestamp: text(metadata["deletionTimestamp"]) };
}

function isGone({ deletionTimestamp }: StoredIdentity, nowMs: number): boolean {
  return deletionTimestamp !== "" && Date.parse(deletionTimestamp) < nowMs - leewayMs;
}

function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
