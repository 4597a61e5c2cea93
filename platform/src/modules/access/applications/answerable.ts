import type { AccessPort } from '../index.ts'
import { mayAnswer, stateAt } from './application-rules.ts'
import { type Db, listOpenByIds } from './applications-store.ts'

/** The applications among these that wait for a person's answer. `now` in epoch milliseconds. */
export type ListAnswerable = (
  userId: number,
  applicationIds: readonly number[],
  now: number,
) => Promise<ReadonlySet<number>>

export function createListAnswerable(db: Db, access: AccessPort): ListAnswerable {
  return async (userId, applicationIds, now) => {
    const rows = await listOpenByIds(db, applicationIds)
    const machineIds = [...new Set(rows.map((row) => row.machineId))]
    const rights = await access.list(userId, machineIds, now)
    const own = machineIds.filter((id) => rights.get(id)?.rights.has('bkey+'))
    const keys = new Map(
      await Promise.all(own.map(async (id) => [id, await access.listKeys(id, now)] as const)),
    )
    const answerable = rows.filter((row) => {
      const holders = keys.get(row.machineId)
      const key = holders?.find((holder) => holder.userId === userId)?.key
      const hasBkeys = holders?.some((holder) => holder.key === 'B') ?? false
      const { kind, checkType } = row
      return key !== undefined && mayAnswer({ kind, state: stateAt(row, now), checkType, hasBkeys }, key)
    })
    return new Set(answerable.map((row) => row.id))
  }
}
