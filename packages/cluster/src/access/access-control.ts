import type { Authentication, Authenticator, Credentials } from "./authenticator.js";
import type { AccessAttributes, Authorizer } from "./authorizer.js";
import { impersonationOf } from "./impersonation.js";
import type { User } from "./user.js";

/** The user of a request, or why impersonation failed. */
export type RequestUser =
  | { readonly kind: "user"; readonly user: User }
  | { readonly kind: "malformed"; readonly why: string }
  | { readonly kind: "forbidden"; readonly user: User; readonly attributes: AccessAttributes };

/** Authenticates requests, resolves impersonation, and holds the authorizer. */
export class AccessControl {
  readonly authorizer: Authorizer;
  readonly #authenticators: Authenticator[];

  constructor(authorizer: Authorizer, authenticators: readonly Authenticator[] = []) {
    this.authorizer = authorizer;
    this.#authenticators = [...authenticators];
  }

  /** Adds an authenticator until the returned function is called. */
  add(authenticator: Authenticator): () => void {
    this.#authenticators.push(authenticator);
    return () => {
      const index = this.#authenticators.indexOf(authenticator);
      if (index >= 0) this.#authenticators.splice(index, 1);
    };
  }

  /** The first user that an authenticator returns; an error only if none does, as in kube-apiserver. */
  authenticate(credentials: Credentials): Authentication {
    let result: Authentication = { kind: "none" };
    for (const authenticator of this.#authenticators) {
      const found = authenticator.authenticate(credentials);
      if (found.kind === "user") return found;
      if (found.kind === "error") result = found;
    }
    return result;
  }

  /** The effective user of a request: the impersonated one if the headers name one and the user may impersonate it. */
  impersonate(user: User, headers: Readonly<Record<string, string>>): RequestUser {
    const impersonation = impersonationOf(headers);
    if (impersonation === undefined) return { kind: "user", user };
    if (typeof impersonation === "string") return { kind: "malformed", why: impersonation };
    for (const attributes of impersonation.required)
      if (!this.authorizer.authorize(user, attributes).allowed) return { kind: "forbidden", user, attributes };
    return { kind: "user", user: impersonation.user };
  }
}
