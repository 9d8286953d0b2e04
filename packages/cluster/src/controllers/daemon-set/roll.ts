import { type DaemonView, isAvailable, type Plan, pairAt } from "./daemon-pods.js";
import { limitsOf } from "./limits.js";

/** Which pods of other templates go now, and which nodes get a new pod beside the old one, within the limits of the set. */
export function roll(view: DaemonView): Plan {
  const wanted = view.places.filter(({ shouldRun }) => shouldRun).length;
  const limits = limitsOf(view.set, wanted);
  return limits.surge === 0 ? replace(view, limits.unavailable) : surge(view, limits.surge, wanted);
}

/** Old pods that do not work go at once, others as long as not too many are missing. */
function replace(view: DaemonView, maxUnavailable: number): Plan {
  let unavailable = 0;
  const broken: string[] = [];
  const working: string[] = [];
  for (const place of view.places) {
    if (!place.shouldRun && place.pods.length === 0) continue;
    const { fresh, old } = pairAt(place, view) ?? {};
    if (old !== undefined && fresh === undefined && isAvailable(old, view)) working.push(old.metadata.name);
    else if (old !== undefined && fresh === undefined) {
      broken.push(old.metadata.name);
      unavailable += 1;
    } else if (fresh === undefined || old !== undefined || !isAvailable(fresh, view)) unavailable += 1;
  }
  const allowed = Math.max(0, maxUnavailable - unavailable);
  return { create: [], delete: [...broken, ...working.slice(0, allowed)] };
}

/** New pods come beside old ones, as many as may be too many; an old one goes when its new one is available. */
function surge(view: DaemonView, maxSurge: number, wanted: number): Plan {
  let surging = 0;
  let available = 0;
  const plan: Plan = { create: [], delete: [] };
  const candidates: string[] = [];
  const misplaced: string[] = [];
  for (const place of view.places) {
    const pair = pairAt(place, view);
    if (pair === undefined) {
      surging += 1;
      continue;
    }
    const { fresh, old } = pair;
    const works = isAvailable(old ?? fresh, view);
    if (works) available += 1;
    if (old === undefined) continue;
    if (fresh !== undefined) {
      if (isAvailable(fresh, view)) plan.delete.push(old.metadata.name);
      else surging += 1;
    } else if (place.shouldRun) (works ? candidates : plan.create).push(place.name);
    else (works ? misplaced : plan.delete).push(old.metadata.name);
  }
  // Where the set moves to other nodes, an old pod goes only when there are enough without it.
  plan.delete.push(...misplaced.slice(0, Math.max(0, available - wanted)));
  plan.create.push(...candidates.slice(0, Math.max(0, maxSurge - surging)));
  return plan;
}
