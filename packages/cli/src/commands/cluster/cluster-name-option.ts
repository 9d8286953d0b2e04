import { Option } from "commander";

/** Which of the user's clusters. */
export function clusterNameOption(): Option {
  return new Option("--name <name>", "name of the cluster").default("default");
}
