import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startCluster } from "../index.js";

const page = readFileSync(new URL("../../../../docs/reference/admission-plugins.md", import.meta.url), "utf8");

test("an unknown admission plugin is an error that lists the plugins, which are those of the reference page in its order", async () => {
  const error = await startCluster({ enableAdmissionPlugins: ["NoSuchPlugin" as never] }).catch((why: unknown) => why);
  expect(error).toMatchObject({ code: "CONFIG_INVALID", message: expect.stringContaining('"NoSuchPlugin"') });
  const { message } = error as Error;
  const [, documented = ""] = /\n\|---\|---\|---\|\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const names = documented.split("\n").map((row) => row.split("|")[1]?.trim());
  expect(message).toContain(`the plugins are ${names.join(", ")}`);
});

test("a plugin that is enabled and disabled is an error", async () => {
  const both = { enableAdmissionPlugins: ["AlwaysPullImages"], disableAdmissionPlugins: ["AlwaysPullImages"] } as const;
  await expect(startCluster(both)).rejects.toThrow("enabled and disabled");
});

test("disabled plugins have no effect", async () => {
  await using cluster = await startCluster({ disableAdmissionPlugins: ["ServiceAccount", "Priority"] });
  const { body } = await cluster.transport.send({
    method: "POST",
    path: "/api/v1/namespaces/default/pods",
    body: { metadata: { name: "a" }, spec: { containers: [{ name: "main", image: "a:1" }] } },
  });
  expect(body).toMatchObject({ kind: "Pod", spec: { tolerations: expect.any(Array) } });
  expect(body).not.toHaveProperty("spec.priority");
});
