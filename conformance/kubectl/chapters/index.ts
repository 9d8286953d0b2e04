/**
 * The chapters of commands.
 *
 * @module
 */
import type { Chapter } from "../chapter.js";
import { access } from "./access.js";
import { apply } from "./apply.js";
import { change } from "./change.js";
import { create } from "./create.js";
import { custom } from "./custom.js";
import { remove } from "./delete.js";
import { describe } from "./describe.js";
import { discovery } from "./discovery.js";
import { errors } from "./errors.js";
import { explain } from "./explain.js";
import { get } from "./get.js";
import { helm } from "./helm.js";
import { more } from "./more.js";
import { nodes } from "./nodes.js";
import { proxy } from "./proxy.js";
import { workloads } from "./workloads.js";

/** Prints cluster-wide state, and so runs before the others. */
export const firstChapter = discovery;

/** Run concurrently, in any order. */
export const chapters: readonly Chapter[] = [
  access,
  apply,
  change,
  create,
  custom,
  remove,
  describe,
  errors,
  explain,
  get,
  helm,
  more,
  nodes,
  proxy,
  workloads,
];
