import { expect, test } from "vitest";
import { type NodeWorld, until } from "./node-world.js";

/** Tests of kube-proxy and CoreDNS. */
export function testNamesAndServices(world: () => NodeWorld): void {
  const hosts = async (url: string, requests: number): Promise<ReadonlySet<string>> => {
    const { inPod, podOf } = world();
    const lines = (await inPod(await podOf("agent"), "get", url, String(requests))).split("\n");
    return new Set(lines.map((line) => line.split(" ")[0] ?? ""));
  };

  test("a pod reaches a Service by its name, its full name and its ClusterIP", async () => {
    const { run } = world();
    const address = await run("get service web -o jsonpath={.spec.clusterIP}");
    for (const host of ["web", "web.default.svc.cluster.local", address])
      expect([...(await hosts(`http://${host}/`, 1))].join()).toMatch(/^web-/);
  });

  test("requests to a Service reach all its pods, with session affinity one of them", async () => {
    const { run } = world();
    const names = (await run("get pods -l app=web -o jsonpath={.items[*].metadata.name}")).split(" ").sort();
    expect(names).toHaveLength(3);
    await until(async () => [...(await hosts("http://web/", 30))].sort().join() === names.join());
    expect((await hosts("http://sticky/", 30)).size).toBe(1);
  });

  test("a NodePort is reached at the address of the node", async () => {
    const { run } = world();
    const port = await run("get service web -o jsonpath={.spec.ports[0].nodePort}");
    const response = await fetch(`http://${world().place.nodeAddress}:${port}/`);
    expect(await response.text()).toMatch(/^web-\S+ hello$/);
  });

  test("a pod that is not ready gets no requests of its Services", async () => {
    const { run, podOf } = world();
    const pod = await podOf("web");
    const address = await run(`get pod ${pod} -o jsonpath={.status.podIP}`);
    await fetch(`http://${address}:8080/fail`);
    await run(`wait --for=condition=Ready=false pod/${pod} --timeout=60s`);
    const [slice, ready] = ["endpointslices -l kubernetes.io/service-name=web", "{.items[*].endpoints[*]"];
    await until(
      async () => !(await run(`get ${slice} -o jsonpath=${ready}.conditions.ready}`)).includes("false false"),
    );
    await until(async () => !(await hosts("http://web/", 30)).has(pod));
    await fetch(`http://${address}:8080/recover`);
    await run(`wait --for=condition=Ready pod/${pod} --timeout=60s`);
    await until(async () => (await hosts("http://web/", 30)).has(pod));
  });

  test("a pod of a StatefulSet has a name, before it is ready", async () => {
    const { run, inPod } = world();
    for (const pod of ["store-0", "store-1"]) {
      await run(`wait --for=jsonpath={.status.phase}=Running pod/${pod} --timeout=90s`);
      const address = await run(`get pod ${pod} -o jsonpath={.status.podIP}`);
      await until(async () => (await inPod("store-0", "resolve", `${pod}.store`)) === address);
      expect(await inPod("store-0", "resolve", `${pod}.store.default.svc.cluster.local`)).toBe(address);
    }
    expect(await run("get pods -l app=store -o jsonpath={.items[*].status.containerStatuses[0].ready}")).toBe(
      "false false",
    );
  });

  test("a name that is not in the cluster does not exist", async () => {
    const { inPod } = world();
    expect(await inPod("store-0", "resolve", "missing")).toBe("ENOTFOUND");
    expect(await inPod("store-0", "resolve", "www.example.com")).toBe("ENOTFOUND");
  });
}
