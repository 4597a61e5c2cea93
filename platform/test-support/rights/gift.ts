import type { RequestOf, Route } from '@busbar/contract'
import type { TestPlatform } from '@busbar/testkit'
import type { GiverKind, GiverSetup } from './givers.ts'

/** A receiver, and the call that gives them a right. */
export interface Prepared {
  readonly request: unknown
  /** The result in a few words. */
  seen(answer: unknown): Promise<string>
}

/** A call that gives a right to a machine or changes its settings, with its result for each kind of giver. */
export interface Gift {
  readonly what: string
  readonly route: Route
  prepare(site: TestPlatform, setup: GiverSetup, now: number): Promise<Prepared>
  /** `owner`, of an enterprise: as `admin` where it is left out. */
  readonly comes: Readonly<Record<Exclude<GiverKind, 'owner'>, string>> & { readonly owner?: string }
}

/** One whose request is of the call's type. */
export function gift<R extends Route, const Request extends RequestOf<R>>(
  what: string,
  route: R,
  comes: Gift['comes'],
  prepare: (
    site: TestPlatform,
    setup: GiverSetup,
    now: number,
  ) => Promise<{ request: Request; seen: Prepared['seen'] }>,
): Gift {
  return { what, route, comes, prepare }
}
