import { limits } from '@busbar/contract'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { readerOf } from '../../reader.ts'
import type { SpaceDeps } from './space-change.ts'
import * as store from './spaces-store.ts'

/**
 * Makes an enterprise in the caller's time zone; the caller is its owner. Throws ENTERPRISES_FULL
 * (rules/enterprises.md: making an enterprise).
 */
export async function createSpace(
  { facts }: Pick<SpaceDeps, 'facts'>,
  trx: store.Trx,
  caller: Caller,
  name: string,
): Promise<number> {
  await lockPerson(trx, caller.userId)
  if ((await store.countOwned(trx, caller.userId)) >= limits.enterprisesPerOwner)
    throw new Failure('ENTERPRISES_FULL')
  const at = new Date(caller.now)
  const { timeZone } = readerOf(await store.findLocale(trx, caller.userId))
  const eid = await store.createSpace(trx, { name, owner: caller.userId, timeZone, at })
  const { userId: by, address, now } = caller
  const made = { kind: 'enterprise.made', enterpriseId: eid, by, at: now } as const
  await facts.record(trx, made, { address, words: { name } })
  return eid
}
