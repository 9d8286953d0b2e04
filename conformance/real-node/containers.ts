import { execFile, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { kubectl, type NodeWorld } from "./node-world.js";

/** Its main process ends with its input. */
const attached = `
apiVersion: v1
kind: Pod
metadata: { name: attached }
spec:
  restartPolicy: Never
  containers: [{ name: main, image: example.com/web:1, args: [upper], stdin: true, stdinOnce: true }]
`;

/** Tests of what kubectl and the typed client do with containers. */
export function testContainers(world: () => NodeWorld): void {
  const start = (command: string) => spawn(kubectl, command.split(" "), { env: world().environment });

  test("kubectl follows a log, with previous lines and timestamps", async () => {
    const follower = start(`logs -f --timestamps ${await world().podOf("web")}`);
    const seen: string[] = [];
    for await (const line of createInterface({ input: follower.stdout })) {
      seen.push(line);
      if (seen.length === 3) break;
    }
    follower.kill();
    expect(seen[0]).toMatch(/^\d{4}-\d{2}-\d{2}T\S+Z listening$/);
    expect(seen.slice(1).map((line) => line.split(" ").slice(1).join(" "))).toEqual(["tick 1", "tick 2"]);
  });

  test("kubectl runs a command in a container, with its standard input", async () => {
    const { inPod, podOf } = world();
    const pod = await podOf("web");
    expect(await inPod(pod, "echo", "a", "b")).toBe("a b");
    const child = start(`exec -i ${pod} -- /usr/local/bin/node /app/main.mjs upper`);
    child.stdin.end("quiet");
    expect(await textOf(child.stdout)).toBe("QUIET");
  });

  test("kubectl runs a command on a terminal", async () => {
    const { environment, podOf } = world();
    const command = `${kubectl} exec -it ${await podOf("web")} -- /usr/local/bin/node /app/main.mjs terminal`;
    // kubectl allocates a terminal in the container only if it has one itself, which script(1) makes.
    const options = { env: environment, timeout: 60_000 };
    const { stdout } = await promisify(execFile)("script", ["-qec", command, "/dev/null"], options);
    expect(stdout.trim()).toBe("true true");
  });

  test("kubectl reports the exit code of a command", async () => {
    const command = `exec ${await world().podOf("web")} -- /usr/local/bin/node -e process.exit(7)`;
    await expect(world().run(command)).rejects.toMatchObject({ code: 7 });
  });

  test("kubectl attaches to the main process of a container", async () => {
    const { apply, run } = world();
    await apply(attached);
    await run("wait --for=condition=Ready pod/attached --timeout=90s");
    const child = start("attach -i attached");
    child.stdin.end("quiet");
    expect(await textOf(child.stdout)).toBe("QUIET");
    await run("wait --for=jsonpath={.status.phase}=Succeeded pod/attached --timeout=90s");
    await run("delete pod attached");
  });

  test("kubectl copies a file into a container and out of it", async () => {
    const { run, inPod, file } = world();
    await run("wait --for=jsonpath={.status.phase}=Running pod/store-0 --timeout=90s");
    await writeFile(file("copied"), "text");
    await run(`cp ${file("copied")} store-0:/data/copied`);
    expect(await inPod("store-0", "read", "/data/copied")).toBe("text");
    await run(`cp store-0:/data/copied ${file("returned")}`);
    expect(await readFile(file("returned"), "utf8")).toBe("text");
  });

  test("kubectl forwards a port to a pod", async () => {
    const forward = start(`port-forward ${await world().podOf("web")} :8080`);
    let port = "";
    for await (const line of createInterface({ input: forward.stdout })) {
      port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? "";
      if (port !== "") break;
    }
    const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    forward.kill();
    expect(text).toMatch(/^web-\S+ hello$/);
  });

  test("the typed client runs a command, follows a log, attaches to a process, and forwards a port", async () => {
    const { client, podOf, apply, run } = world();
    const pod = await podOf("web");
    const command = ["/usr/local/bin/node", "/app/main.mjs", "upper"];
    expect(await client.exec(Pod, pod, { command, stdin: "quiet" })).toEqual({
      exitCode: 0,
      stdout: "QUIET",
      stderr: "",
    });
    const lines: string[] = [];
    for await (const line of client.followLogs(Pod, pod)) {
      lines.push(line);
      if (lines.length === 3) break;
    }
    expect(lines).toEqual(["listening", "tick 1", "tick 2"]);
    await using forward = await client.portForward(Pod, pod, { port: 8080 });
    for (let times = 0; times < 3; times++) {
      const response = await fetch(`http://127.0.0.1:${forward.port}/`, { headers: { connection: "close" } });
      expect(await response.text()).toBe(`${pod} hello`);
    }
    await apply(attached);
    await run("wait --for=condition=Ready pod/attached --timeout=90s");
    let output = "";
    await client.attach(Pod, "attached", { stdin: "quiet", onOutput: (bytes) => (output += Buffer.from(bytes)) });
    expect(output).toBe("QUIET");
    await run("delete pod attached");
  });

  test("a forwarded port where no program listens closes its connections with the reason", async () => {
    const { client, podOf } = world();
    const errors: unknown[] = [];
    await using forward = await client.portForward(Pod, await podOf("web"), {
      port: 9,
      onError: (error) => errors.push(error),
    });
    await expect(fetch(`http://127.0.0.1:${forward.port}/`)).rejects.toThrow("fetch failed");
    expect(String(errors[0])).toContain("refused");
  });

  test("a container that is killed is started again", async () => {
    const { run, podOf } = world();
    const pod = await podOf("agent");
    await run(`exec ${pod} -- /usr/local/bin/node -e process.kill(1,"SIGTERM")`).catch(() => "");
    await run(`wait --for=jsonpath={.status.containerStatuses[0].restartCount}=1 pod/${pod} --timeout=60s`);
    await run(`wait --for=condition=Ready pod/${pod} --timeout=60s`);
    expect(await run(`logs --previous ${pod}`)).toContain("listening");
  });
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
