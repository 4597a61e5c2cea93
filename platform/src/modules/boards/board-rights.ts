import { Failure } from '../../kernel/http/failure.ts'
import type { EnterpriseGuards } from '../enterprises/index.ts'
import type { Space } from './boards-store.ts'

export type SpaceGuards = Pick<EnterpriseGuards, 'hasEnterpriseRight' | 'on'>

/** The owner of a row: of a board, or of a template. */
interface Owned {
  readonly userId: number | null
  readonly enterpriseId: number | null
}

/** A person's rights to the boards of a space; undefined if they may not see them. */
export async function rightInSpace(
  guards: Pick<SpaceGuards, 'hasEnterpriseRight'>,
  userId: number,
  space: Space,
): Promise<{ readonly mayEdit: boolean } | undefined> {
  if ('userId' in space) return space.userId === userId ? { mayEdit: true } : undefined
  if (!(await guards.hasEnterpriseRight(userId, space.enterpriseId, 'member'))) return undefined
  return { mayEdit: await guards.hasEnterpriseRight(userId, space.enterpriseId, 'manage') }
}

export const spaceOf = ({ userId, enterpriseId }: Owned): Space =>
  enterpriseId === null ? { userId: userId as number } : { enterpriseId }

/** The space that a call names: an enterprise, or the caller's own. */
export const spaceOfCall = (userId: number, eid: number | undefined): Space =>
  eid === undefined ? { userId } : { enterpriseId: eid }

/** Throws 403 where the caller may not change boards of the space. */
export async function requireEdit(
  guards: Pick<SpaceGuards, 'hasEnterpriseRight'>,
  userId: number,
  space: Space,
): Promise<void> {
  const right = await rightInSpace(guards, userId, space)
  if (!right?.mayEdit) throw new Failure('403')
}
