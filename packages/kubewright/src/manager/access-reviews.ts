import { createHash } from "node:crypto";
import type { Clock } from "@kubewright/core/clock";
import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Client } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import { TokenReview } from "../k8s/authentication/v1.gen.js";
import { SubjectAccessReview } from "../k8s/authorization/v1.gen.js";
import { type Verdict, VerdictCache } from "./verdict-cache.js";

/** How long reviews are cached, as in controller-runtime: TokenReview, allowed and denied SubjectAccessReview. */
const tokenMs = 60_000;
const allowedMs = 300_000;
const deniedMs = 30_000;
/** How long the API server may take for one review. */
const reviewMs = 10_000;
/** Longer than any token that an API server issues. */
const maxTokenLength = 65_536;

/** Whether a request is allowed; `status` is the HTTP status of the rejection. */
export type Access =
  | { readonly kind: "allowed" }
  | { readonly kind: "refused"; readonly status: 401 | 403; readonly why: string };

/**
 * Authenticates a request by its bearer token (TokenReview) and authorizes it by path and verb (SubjectAccessReview), so that RBAC controls access to
 * metrics by `nonResourceURLs`.
 *
 * TokenReviews are cached for 1 min, allowed SubjectAccessReviews for 5 min, denied ones for 30 s; the cache is bounded. Tokens are stored hashed.
 */
export class AccessReviews {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #users: VerdictCache<JsonObject | undefined>;
  readonly #verdicts: VerdictCache<boolean>;

  constructor({ client, clock }: { readonly client: Client; readonly clock: Clock }) {
    this.#client = client;
    this.#clock = clock;
    this.#users = new VerdictCache(clock);
    this.#verdicts = new VerdictCache(clock);
  }

  /** Reviews one request. Rejects when the API server does not respond within ten seconds, or rejects the review. */
  async review(request: {
    readonly authorization: string | undefined;
    readonly method: string;
    readonly path: string;
  }): Promise<Access> {
    const [, token = ""] = /^bearer +([^\s]+)$/i.exec(request.authorization ?? "") ?? [];
    const user = token === "" || token.length > maxTokenLength ? undefined : await this.#userOf(token);
    if (user === undefined) return { kind: "refused", status: 401, why: "Unauthorized" };
    const verb = request.method.toLowerCase();
    const key = digest(JSON.stringify([user, verb, request.path]));
    const allowed = await this.#verdicts.get(key, () => this.#mayUser(user, verb, request.path));
    if (allowed) return { kind: "allowed" };
    return { kind: "refused", status: 403, why: `Authorization denied for user ${String(user["username"] ?? "")}` };
  }

  #userOf(token: string): Promise<JsonObject | undefined> {
    return this.#users.get(digest(token), async () => {
      const { authenticated, user } = await this.#ask(TokenReview, { token });
      return { value: authenticated === true && isJsonObject(user) ? user : undefined, holdsMs: tokenMs };
    });
  }

  async #mayUser({ username, uid, groups, extra }: JsonObject, verb: string, path: string): Promise<Verdict<boolean>> {
    const who = { user: username, uid, groups, extra };
    const { allowed, denied } = await this.#ask(SubjectAccessReview, { ...who, nonResourceAttributes: { verb, path } });
    const value = allowed === true && denied !== true;
    return { value, holdsMs: value ? allowedMs : deniedMs };
  }

  /** The status of a review. Reviews are not stored: they have no name. */
  async #ask({ group, version, kind, plural }: AnyKind, spec: object): Promise<JsonObject> {
    const late = new AbortController();
    const timer = this.#clock.startTimer(reviewMs, () => late.abort(new Error("the API server does not answer")));
    const apiVersion = formatApiVersion(group, version);
    try {
      const { body } = await this.#client.request({
        method: "POST",
        path: `/apis/${apiVersion}/${plural}`,
        body: { apiVersion, kind, spec },
        signal: late.signal,
      });
      const status = isJsonObject(body) ? body["status"] : undefined;
      return isJsonObject(status) ? status : {};
    } finally {
      timer.cancel();
    }
  }
}

/** So that no token stays in memory longer than its request. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
