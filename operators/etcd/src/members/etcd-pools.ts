import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { Pool } from "undici";
import type { EtcdConnection } from "./etcd-members.js";

/** More are closed, the one that was used longest ago first: members come and go. */
const maxPools = 512;

/** Keeps connections to members open. Another address or rotated certificates are another pool, so they take effect with the next request. */
export class EtcdPools implements AsyncDisposable {
  readonly #pools = new Map<string, Pool>();

  of(connection: EtcdConnection): Pool {
    const { url, address, credentials } = connection;
    const key = [url, address, credentials === undefined ? "" : digest(JSON.stringify(credentials))].join(" ");
    const pool = this.#pools.get(key) ?? open(connection);
    this.#pools.delete(key);
    this.#pools.set(key, pool); // the newest is the last
    for (const [oldest, unused] of this.#pools) {
      if (this.#pools.size <= maxPools) break;
      this.#pools.delete(oldest);
      void unused.close().catch(() => {});
    }
    return pool;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}

function open({ url, address, credentials }: EtcdConnection): Pool {
  return new Pool(url, {
    connections: 4,
    keepAliveTimeout: 60_000,
    connect: {
      timeout: 3_000,
      ...credentials,
      // The name in the URL is still the one that the certificate is verified with.
      ...(address !== undefined && {
        lookup: (_host, { all }, found) => {
          const family = isIPv6(address) ? 6 : 4;
          if (all === true) found(null, [{ address, family }]);
          else found(null, address, family);
        },
      }),
    },
  });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
