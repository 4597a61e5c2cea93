import { Failure } from '../../kernel/http/failure.ts'
import type { AccessPort } from '../access/index.ts'
import type { EnterpriseGuards } from '../enterprises/index.ts'
import { type Db, listOwned, type Space, type StoredReport } from './reports-store.ts'

export interface RightsDeps {
  readonly db: Db
  readonly access: Pick<AccessPort, 'list'>
  readonly guards: Pick<EnterpriseGuards, 'hasEnterpriseRight' | 'on'>
}

export const spaceOf = ({ userId, enterpriseId }: Pick<StoredReport, 'userId' | 'enterpriseId'>): Space =>
  enterpriseId === null ? { userId: userId as number } : { enterpriseId }

/** The space that a call names: an enterprise, or the caller's own. */
export const spaceOfCall = (userId: number, eid: number | undefined): Space =>
  eid === undefined ? { userId } : { enterpriseId: eid }

/** A person's rights to the reports of a space; undefined if they may not see them. */
export async function rightInSpace(
  { guards }: Pick<RightsDeps, 'guards'>,
  userId: number,
  space: Space,
): Promise<{ readonly mayEdit: boolean } | undefined> {
  if ('userId' in space) return space.userId === userId ? { mayEdit: true } : undefined
  if (!(await guards.hasEnterpriseRight(userId, space.enterpriseId, 'member'))) return undefined
  return { mayEdit: await guards.hasEnterpriseRight(userId, space.enterpriseId, 'manage') }
}

/** Throws 403 where the caller may not change reports of the space. */
export async function requireEdit(
  deps: Pick<RightsDeps, 'guards'>,
  userId: number,
  space: Space,
): Promise<void> {
  const right = await rightInSpace(deps, userId, space)
  if (!right?.mayEdit) throw new Failure('403')
}

/** The machines of these whose values a person may see now. */
export async function seenBy(
  { access }: Pick<RightsDeps, 'access'>,
  userId: number,
  machineIds: readonly number[],
  now: number,
): Promise<Set<number>> {
  const rights = await access.list(userId, machineIds, now)
  return new Set(machineIds.filter((id) => rights.get(id)?.rights.has('visitor+')))
}

/**
 * The machines among these that the owner of a report may share now: for an enterprise those that it owns
 * (rules/data-centre.md: rights of a report).
 */
export async function seenByOwner(
  deps: Pick<RightsDeps, 'db' | 'access'>,
  space: Space,
  machineIds: readonly number[],
  now: number,
): Promise<Set<number>> {
  return 'userId' in space
    ? seenBy(deps, space.userId, machineIds, now)
    : listOwned(deps.db, space.enterpriseId, machineIds)
}
