// Written by tools/api-data from Kubernetes v1.36.4. Do not edit.
import { defineKind, type Kind, type ReadMeta } from "../../definition/index.js";
import type { ObjectMeta } from "../meta/v1.gen.js";

export interface BoundObjectReference {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
  uid?: string | undefined;
}

/** An object of kind SelfSubjectReview in authentication.k8s.io/v1. */
export interface SelfSubjectReview {
  apiVersion: "authentication.k8s.io/v1";
  kind: "SelfSubjectReview";
  metadata: ReadMeta;
  status?: SelfSubjectReviewStatus;
}
interface SelfSubjectReviewTypes { read: SelfSubjectReview; write: {  }; status: SelfSubjectReviewStatus; conditions: never }
/** The kind SelfSubjectReview in authentication.k8s.io/v1. */
export const SelfSubjectReview: Kind<"authentication.k8s.io/v1/SelfSubjectReview", "Cluster", SelfSubjectReviewTypes> = /* @__PURE__ */ defineKind({ group: "authentication.k8s.io", version: "v1", kind: "SelfSubjectReview", plural: "selfsubjectreviews", scope: "Cluster" });

export interface SelfSubjectReviewStatus {
  userInfo?: UserInfo | undefined;
}

export interface TokenRequest {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
  spec?: TokenRequestSpec | undefined;
  status?: TokenRequestStatus | undefined;
}

export interface TokenRequestSpec {
  audiences?: string[] | undefined;
  boundObjectRef?: BoundObjectReference | undefined;
  expirationSeconds?: number | undefined;
}

export interface TokenRequestStatus {
  expirationTimestamp?: string | undefined;
  token?: string | undefined;
}

/** An object of kind TokenReview in authentication.k8s.io/v1. */
export interface TokenReview {
  apiVersion: "authentication.k8s.io/v1";
  kind: "TokenReview";
  metadata: ReadMeta;
  spec: TokenReviewSpec;
  status?: TokenReviewStatus;
}
interface TokenReviewTypes { read: TokenReview; write: { spec: TokenReviewSpec; }; status: TokenReviewStatus; conditions: never }
/** The kind TokenReview in authentication.k8s.io/v1. */
export const TokenReview: Kind<"authentication.k8s.io/v1/TokenReview", "Cluster", TokenReviewTypes> = /* @__PURE__ */ defineKind({ group: "authentication.k8s.io", version: "v1", kind: "TokenReview", plural: "tokenreviews", scope: "Cluster" });

export interface TokenReviewSpec {
  audiences?: string[] | undefined;
  token: string;
}

export interface TokenReviewStatus {
  audiences?: string[] | undefined;
  authenticated?: boolean | undefined;
  error?: string | undefined;
  user?: UserInfo | undefined;
}

export interface UserInfo {
  extra?: Record<string, string[]> | undefined;
  groups?: string[] | undefined;
  uid?: string | undefined;
  username?: string | undefined;
}
