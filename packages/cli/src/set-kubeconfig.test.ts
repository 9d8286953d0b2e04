import { expect, test } from "vitest";
import { setKubeconfig } from "./set-kubeconfig.js";

test("the command that selects a kubeconfig is one of the platform's shell", () => {
  expect(setKubeconfig("dev/kubeconfig", "linux")).toBe("export KUBECONFIG=dev/kubeconfig");
  expect(setKubeconfig("dev/kubeconfig", "darwin")).toBe("export KUBECONFIG=dev/kubeconfig");
  expect(setKubeconfig("dev\\kubeconfig", "win32")).toBe('$env:KUBECONFIG = "dev\\kubeconfig"');
});
