import { expect, test } from "vitest";
import type { CertificateState, IssuedCertificate, TrustedAuthority } from "./certificate-state.js";
import { nextStep, type ObservedTarget, type RotationPolicy } from "./next-step.js";

const hour = 3_600_000;
const policy: RotationPolicy = {
  names: ["hooks.svc"],
  renewBeforeMs: 30 * hour,
  clockSkewMs: hour,
  propagationMs: 30_000,
};
const authority = (id: string, notAfterMs: number): TrustedAuthority => ({ id, certificate: `${id};`, notAfterMs });
const issued = (by: TrustedAuthority, names: readonly string[] = policy.names): IssuedCertificate => ({
  certificate: `leaf of ${by.id}`,
  privateKey: "",
  authority: by.id,
  names,
  notAfterMs: by.notAfterMs,
});
const target = (...bundles: string[]): ObservedTarget => ({ id: "target", bundles, authorities: [] });
const [first, second] = [authority("first", 90 * hour), authority("second", 150 * hour)];
const next = (
  state: CertificateState,
  nowMs: number,
  targets: readonly ObservedTarget[] = [],
  { publishedForMs = 0, names = policy.names } = {},
) => nextStep({ stored: { state, problems: [] }, targets, nowMs, publishedForMs }, { ...policy, names });

test("a published certificate rests until its renewal, and is then replaced by one of a new CA", () => {
  const state = { current: issued(first), authorities: [first] };
  expect(next(state, 10 * hour, [target("first;")])).toEqual({ kind: "wait", forMs: 50 * hour });
  expect(next(state, 60 * hour, [target("first;")])).toEqual({
    kind: "issue",
    state,
    names: policy.names,
    why: "the certificate expires soon",
  });
});

test("a new certificate is promoted only when each webhook of each target has its CA, for the propagation time", () => {
  const state = { current: issued(first), next: issued(second), authorities: [first, second] };
  const both = "first;second;";
  const behind = target(both, "first;");
  expect(next(state, 60 * hour, [target(both), behind], { publishedForMs: 60_000 })).toEqual({
    kind: "publish",
    targets: [behind],
    bundle: both,
  });
  expect(next(state, 60 * hour, [target(both), target(both)], { publishedForMs: 10_000 })).toEqual({
    kind: "wait",
    forMs: 20_000,
  });
  expect(next(state, 60 * hour, [target(both)], { publishedForMs: 30_000 })).toEqual({
    kind: "promote",
    state: { current: issued(second), authorities: [first, second] },
  });
});

test("the first certificate is promoted as soon as it is published", () => {
  const state = { next: issued(first), authorities: [first] };
  expect(next(state, hour, [target("")])).toMatchObject({ kind: "publish" });
  expect(next(state, hour, [target("first;")])).toMatchObject({ kind: "promote" });
  expect(next(state, hour, [])).toMatchObject({ kind: "promote" });
});

test("a CA is removed only after its certificate has expired on every clock", () => {
  const state = { current: issued(second), authorities: [first, second] };
  const published = [target("first;second;")];
  expect(next(state, 90 * hour, published)).toEqual({ kind: "wait", forMs: hour + 1 });
  expect(next(state, 91 * hour + 1, published)).toEqual({
    kind: "prune",
    state: { current: issued(second), authorities: [second] },
  });
});

test("an expired certificate is replaced, and leaves with its CA", () => {
  const state = { current: issued(first), authorities: [first] };
  expect(next(state, 90 * hour + 1)).toMatchObject({ kind: "issue", state, why: "the certificate has expired" });
  expect(next(state, 92 * hour)).toMatchObject({ kind: "issue", state: { authorities: [] } });
});

test("a certificate without a name of this replica is replaced by one with the names of both", () => {
  const state = { current: issued(first, ["old.svc"]), authorities: [first] };
  expect(next(state, hour, [])).toMatchObject({
    kind: "issue",
    names: ["old.svc", "hooks.svc"],
    why: "the certificate is not valid for hooks.svc",
  });
  const both = { current: issued(first, ["old.svc", "hooks.svc"]), authorities: [first] };
  expect(next(both, hour, [], { names: ["old.svc"] })).toMatchObject({ kind: "wait" });
});

test("when the Secret is lost or invalid, the CAs in the caBundles stay trusted", () => {
  const found = { ...target("first;"), authorities: [first, authority("expired", -2 * hour)] };
  const nothing = { targets: [found, found], nowMs: 0, publishedForMs: 0 };
  const created = nextStep({ ...nothing, stored: undefined }, policy);
  expect(created).toEqual({ kind: "create", state: { authorities: [] } });
  const empty = { state: { authorities: [] }, problems: [] };
  expect(nextStep({ ...nothing, stored: empty }, policy)).toEqual({
    kind: "issue",
    state: { authorities: [first] },
    names: policy.names,
    why: "there is no certificate",
  });
  const state = { current: issued(second), authorities: [second] };
  const broken = { stored: { state, problems: ["a", "b"] }, targets: [found], nowMs: 0, publishedForMs: 0 };
  expect(nextStep(broken, policy)).toMatchObject({
    kind: "issue",
    state: { current: issued(second), authorities: [second, first] },
    why: "the Secret is invalid: a; b",
  });
});
