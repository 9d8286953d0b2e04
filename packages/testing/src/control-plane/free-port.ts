import { createServer } from "node:net";

/** Different ports of the loopback interface that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listenOnFreePort));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === "string")
      throw new TypeError("Cannot find a free port: the listener has no port");
    return address.port;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listenOnFreePort(): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject).listen(0, "127.0.0.1", () => resolve(server));
  });
}
