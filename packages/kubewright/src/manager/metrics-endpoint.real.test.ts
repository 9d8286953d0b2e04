/** Metrics behind TokenReview and SubjectAccessReview, on a real kube-apiserver. */
import { request } from "node:https";
import { silentLogger } from "@kubewright/core/log";
import { startControlPlane } from "@kubewright/testing/control-plane";
import { expect, test } from "vitest";
import { TokenRequest } from "../client/index.js";
import { connect } from "../connect.js";
import { ServiceAccount } from "../k8s/core/v1.gen.js";
import { ClusterRole, ClusterRoleBinding } from "../k8s/rbac/v1.gen.js";
import { listenMetrics } from "./metrics-endpoint.js";

function status(port: number, path: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request({ port, path, headers, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("a ServiceAccount token whose RBAC allows get on /metrics is accepted, another is forbidden", async () => {
  const plane = await startControlPlane();
  const client = await connect({ kubeconfig: plane.kubeconfigFile(plane.admin) });
  const metrics = { text: async () => "up 1\n", contentType: "text/plain" };
  const endpoint = await listenMetrics("127.0.0.1:0", metrics, { security: {}, client, logger: silentLogger });
  try {
    const tokenOf = async (name: string): Promise<string> => {
      await client.create(ServiceAccount, { metadata: { name } });
      const made = await client.subresource(ServiceAccount, name, "token", TokenRequest).create({ spec: {} as never });
      return made.status?.token ?? "";
    };
    const [reader, other] = [await tokenOf("reader"), await tokenOf("other")];
    await client.create(ClusterRole, {
      metadata: { name: "metrics-reader" },
      rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }],
    });
    await client.create(ClusterRoleBinding, {
      metadata: { name: "metrics-reader" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "metrics-reader" },
      subjects: [{ kind: "ServiceAccount", name: "reader", namespace: "default" }],
    });
    expect(await status(endpoint.port, "/metrics", other)).toBe(403);
    expect(await status(endpoint.port, "/metrics", "made.up.token")).toBe(401);
    // The RBAC authorizer reads from a cache, and denials are cached: wait until the server allows it before the request.
    const may = () =>
      client.request({
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        body: {
          apiVersion: "authorization.k8s.io/v1",
          kind: "SubjectAccessReview",
          spec: {
            user: "system:serviceaccount:default:reader",
            nonResourceAttributes: { verb: "get", path: "/metrics" },
          },
        },
      });
    while (!JSON.stringify((await may()).body).includes('"allowed":true'));
    expect(await status(endpoint.port, "/metrics", reader)).toBe(200);
    expect(await status(endpoint.port, "/other", reader)).toBe(403);
  } finally {
    await endpoint.close();
    await client.close();
    await plane.stop();
  }
}, 60_000);
