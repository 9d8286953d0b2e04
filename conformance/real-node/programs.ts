/** The programs of the images that the tests run, each one file of JavaScript. */
export const webProgram = `
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
const [, , command, ...words] = process.argv;
if (command === "echo") console.log(words.join(" "));
else if (command === "upper") for await (const chunk of process.stdin) process.stdout.write(String(chunk).toUpperCase());
else {
  createServer((_, response) => response.end(hostname() + " " + readFileSync("/settings/greeting"))).listen(8080);
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
