import { timingSafeEqual } from "node:crypto";
import type { Clock } from "@kubewright/core/clock";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Store } from "../storage/index.js";
import type { Authentication, Authenticator } from "./authenticator.js";
import { authenticatedUser } from "./user.js";

/** Where the Secrets of bootstrap tokens are, and the time by which they expire. */
export interface BootstrapTokenSources {
  readonly store: Store;
  readonly clock: Clock;
}

const bootstrappers = "system:bootstrappers";
const secretType = "bootstrap.kubernetes.io/token";
const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Authenticates bootstrap tokens, `<id>.<secret>`, with which a kubelet asks for its first client certificate. They are Secrets in kube-system, as
 * `kubeadm token create` makes them; a token without a valid Secret is none.
 */
export function bootstrapTokens({ store, clock }: BootstrapTokenSources): Authenticator {
  return {
    authenticate({ bearerToken }): Authentication {
      const [, id, given] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(bearerToken ?? "") ?? [];
      if (id === undefined || given === undefined) return { kind: "none" };
      const secret = store.bucket("secrets").get(`kube-system/bootstrap-token-${id}`)?.object;
      const data = secret && secret["type"] === secretType ? dataOf(secret) : undefined;
      if (data?.("token-id") !== id || !isSame(data("token-secret"), given)) return { kind: "none" };
      if (data("usage-bootstrap-authentication") !== "true" || isOver(data("expiration"), clock.now()))
        return { kind: "none" };
      const groups = data("auth-extra-groups").split(",").filter(Boolean);
      if (!groups.every((group) => extraGroup.test(group))) return { kind: "none" };
      return { kind: "user", user: authenticatedUser(`system:bootstrap:${id}`, [bootstrappers, ...groups]) };
    },
  };
}

/** Reads the values of a Secret; none of one that is being deleted. */
function dataOf({ metadata, data }: JsonObject): ((key: string) => string) | undefined {
  if (!isJsonObject(data) || (isJsonObject(metadata) && metadata["deletionTimestamp"] !== undefined)) return undefined;
  return (key) => {
    const value = Object.hasOwn(data, key) ? data[key] : undefined;
    return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : "";
  };
}

function isSame(known: string, given: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A time that cannot be parsed is over. */
function isOver(expiration: string, nowMs: number): boolean {
  return expiration !== "" && !(Date.parse(expiration) > nowMs);
}
