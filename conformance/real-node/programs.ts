/** The programs of the images that the tests run, each one file of JavaScript. */
export const webProgram = `
import { randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { hostname } from "node:os";
const [, , command, ...words] = process.argv;
const upper = async () => {
  for await (const chunk of process.stdin) process.stdout.write(String(chunk).toUpperCase());
};
const commands = {
  echo: () => console.log(words.join(" ")),
  upper,
  terminal: () => console.log(String(process.stdin.isTTY), String(process.stdout.isTTY)),
  read: () => console.log(readFileSync(words[0], "utf8")),
  append: () => appendFileSync(words[0], words[1]),
  resolve: async () => console.log(await lookup(words[0], { all: true }).then(
    (found) => found.map(({ address }) => address).sort().join(" "),
    ({ code }) => code,
  )),
  burn: () => setInterval(() => { for (const end = Date.now() + 20; Date.now() < end; ); }, 100),
  beat: () => {
    const id = randomUUID();
    process.on("SIGTERM", () => process.exit(0));
    setInterval(() => appendFileSync(words[0], id + "\\n"), 100);
  },
  // Each request on a connection of its own: kube-proxy chooses an endpoint for a connection.
  get: async () => {
    for (let times = Number(words[1] ?? 1); times > 0; times--)
      console.log(await (await fetch(words[0], { headers: { connection: "close" }, signal: AbortSignal.timeout(3000) })).text());
  },
};
if (command in commands) await commands[command]();
else {
  let isReady = true;
  createServer(({ url }, response) => {
    if (url === "/fail") isReady = false;
    if (url === "/recover") isReady = true;
    if (url === "/ready") response.statusCode = isReady ? 200 : 503;
    response.end(hostname() + " " + readFileSync("/settings/greeting"));
  }).listen(8080);
  process.on("SIGTERM", () => process.exit(0));
  console.log("listening");
  let ticks = 0;
  setInterval(() => console.log("tick", ++ticks), 200);
}
`;

/** Lists the pods of its namespace with the ServiceAccount of its pod, through the Service "kubernetes". */
export const listProgram = `
import { readFileSync } from "node:fs";
import { get } from "node:https";
const folder = "/var/run/secrets/kubernetes.io/serviceaccount/";
const [token, ca, namespace] = ["token", "ca.crt", "namespace"].map((name) => readFileSync(folder + name, "utf8"));
const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
const url = "https://" + host + ":" + port + "/api/v1/namespaces/" + namespace + "/pods";
get(url, { ca, headers: { authorization: "Bearer " + token } }, async (response) => {
  let text = "";
  for await (const chunk of response) text += chunk;
  console.log(response.statusCode, JSON.parse(text).kind);
});
`;
