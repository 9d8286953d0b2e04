import { startCluster } from "@kubewright/cluster";
import { expect, test } from "vitest";

const request = Buffer.from("-----BEGIN CERTIFICATE REQUEST-----\nAA==\n-----END CERTIFICATE REQUEST-----\n");

test("the requester is the authenticated user, not the one in the body", async () => {
  await using cluster = await startCluster();
  const { body } = await cluster.transport.send({
    method: "POST",
    path: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    headers: {
      "impersonate-user": "jane",
      "impersonate-uid": "42",
      "impersonate-group": "system:masters",
      "impersonate-extra-team": "blue",
    },
    body: {
      metadata: { name: "web" },
      spec: {
        request: request.toString("base64"),
        signerName: "example.com/signer",
        usages: ["client auth"],
        username: "root",
        uid: "0",
        groups: ["admins"],
        extra: { team: ["red"] },
      },
    },
  });
  expect(body).toMatchObject({
    spec: {
      username: "jane",
      uid: "42",
      groups: ["system:masters", "system:authenticated"],
      extra: { team: ["blue"] },
    },
  });
});
