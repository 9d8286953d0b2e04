/**
 * Leader election with Leases: one of several replicas works, and it sends nothing after its renew deadline.
 *
 * @module
 */
export { boundedRequest } from "./bounded-request.js";
export type { Election } from "./election.js";
export { FencedTransport } from "./fenced-transport.js";
export type { Leadership } from "./leadership.js";
export { type LeaderElectionOptions, type LeaseSettings, leaseSettings, podNamespace } from "./lease-options.js";
export { durationOf, heldRecord, holderOf, releasedRecord } from "./lease-record.js";
export { type LeaseTiming, type LeaseTimingOptions, requestTimeoutMs } from "./lease-timing.js";
export { LocalElection } from "./local-election.js";
export { electOnThread, WorkerElection } from "./worker-election.js";
