import type { Authentication, Authenticator, Credentials } from "./authenticator.js";
import type { AccessAttributes, RoleAuthorizer } from "./authorizer.js";
import { type Impersonated, impersonate, impersonationOf } from "./impersonation.js";
import type { User } from "./user.js";

/** The user of a request, or why impersonation failed. */
export type RequestUser = Impersonated | { readonly kind: "malformed"; readonly why: string };

/** A request whose headers may impersonate a user. */
export interface ImpersonatingRequest {
  readonly user: User;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of headers that were sent more than once. @default values are separated by commas */
  readonly repeatedHeaders?: ReadonlyMap<string, readonly string[]>;
}

/** Authorizer and authenticators of an {@link AccessControl}. */
export interface AccessOptions {
  readonly authorizer: RoleAuthorizer;
  readonly authenticators: readonly Authenticator[];
  /** The audience of the API server. Tokens without audiences are for it only. */
  readonly audience: string;
}

/** Authenticates requests, resolves impersonation, and holds the authorizer. */
export class AccessControl {
  readonly authorizer: RoleAuthorizer;
  readonly #authenticators: Authenticator[];
  readonly #audience: string;

  constructor({ authorizer, authenticators, audience }: AccessOptions) {
    this.authorizer = authorizer;
    this.#authenticators = [...authenticators];
    this.#audience = audience;
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
    const { audiences = [this.#audience], bearerToken } = credentials;
    let why = "";
    for (const authenticator of this.#authenticators) {
      const found = authenticator.authenticate(credentials);
      if (found.kind === "error") why = found.why;
      if (found.kind !== "user") continue;
      if (found.audiences !== undefined || audiences.includes(this.#audience))
        return { audiences: [this.#audience], ...found };
    }
    if (bearerToken === undefined) return { kind: "none" };
    return { kind: "error", why: why === "" ? "invalid bearer token" : why };
  }

  /** The effective user of a request: the impersonated one if the headers name one and the user may impersonate it. */
  impersonate({ user, headers, repeatedHeaders }: ImpersonatingRequest, attributes: AccessAttributes): RequestUser {
    const wanted = impersonationOf(headers, repeatedHeaders);
    if (wanted === undefined) return { kind: "user", user };
    if (typeof wanted === "string") return { kind: "malformed", why: wanted };
    return impersonate(this.authorizer, user, { wanted, attributes });
  }
}
