import type { AccessPort } from '../access/index.ts'
import { findRight, listOwned, type Space, spaceOf } from '../spaces/index.ts'
import type { Db, StoredReport } from './reports-store.ts'

export interface RightsDeps {
  readonly db: Db
  readonly access: Pick<AccessPort, 'list' | 'listVisible' | 'listColleagues'>
}

/**
 * The machines among these that the owner of a report may share now: for an enterprise those that it owns
 * (rules/data-centre.md: rights of a report).
 */
export function seenByOwner(
  { db, access }: RightsDeps,
  space: Space,
  machineIds: readonly number[],
  now: number,
): Promise<Set<number>> {
  return 'userId' in space
    ? access.listVisible(space.userId, machineIds, now)
    : listOwned(db, space.enterpriseId, machineIds)
}

/** Whether a person may still get a report: of an enterprise its members do. */
export async function belongs(
  { db }: Pick<RightsDeps, 'db'>,
  report: StoredReport,
  userId: number,
): Promise<boolean> {
  return report.enterpriseId === null || (await findRight(db, userId, spaceOf(report))) !== undefined
}
