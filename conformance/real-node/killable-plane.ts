import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodePlace } from "@kubewright/cluster/real-node";
import { systemClock } from "@kubewright/core/clock";
import { HttpsTransport, parseKubeconfig } from "kubewright/transport";
import type { JoinablePlane } from "./joinable-plane.js";

/** An embedded control plane whose process, API server and controllers, is killed and started again. */
export interface KillablePlane extends JoinablePlane {
  kill(): Promise<void>;
  /** Starts it again, unless it runs. */
  start(): Promise<void>;
}

interface Announced {
  readonly url: string;
  readonly caCertificate: string;
  readonly kubeconfig: string;
}

/** The program of the control plane: the sources of the workspace, or a bundle of them. */
const sources = {
  file: join(import.meta.dirname, "plane-process.ts"),
  execArgv: ["--conditions=kubewright-source", "--import=tsx"],
};

export async function startKillablePlane({ hostAddress }: NodePlace, program = sources): Promise<KillablePlane> {
  const folder = await mkdtemp(join(tmpdir(), "kubewright-plane-"));
  let child: ChildProcess | undefined;
  const start = async (): Promise<Announced> => {
    const run = fork(program.file, [hostAddress, join(folder, "data")], { execArgv: program.execArgv });
    child = run;
    const ended = once(run, "exit").then(([code]) => {
      throw new Error(`the control plane ended with code ${code}`);
    });
    const [announced] = (await Promise.race([once(run, "message"), ended])) as [Announced];
    ended.catch(() => undefined);
    return announced;
  };
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const kill = async (): Promise<void> => {
    const run = child;
    if (run === undefined || !isRunning()) return;
    const ended = once(run, "exit");
    run.kill("SIGKILL");
    await ended;
  };
  const { url, caCertificate, kubeconfig } = await start();
  const transport = new HttpsTransport(await parseKubeconfig([{ file: "kubeconfig", text: kubeconfig }]), {
    clock: systemClock,
    // A server that was killed must not hold the test up.
    responseTimeout: "5s",
    requestTimeout: "10s",
    maxRetries: 2,
  });
  return {
    server: { url, caCertificate },
    transport,
    kubeconfig,
    kill,
    async start() {
      if (!isRunning()) await start();
    },
    async stop() {
      await transport.close();
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}
