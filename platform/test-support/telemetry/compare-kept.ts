import type { Database } from '../../src/kernel/database/database.ts'
import type { LoadClient } from '../gateway/load-client.ts'
import { listKept } from './logged-samples.ts'

/** A machine under load, and who it is to the platform. */
export interface LoadedMachine {
  readonly machineId: number
  readonly client: LoadClient
}

/** How the acknowledged numbers of machines differ from the values that readers see. */
export interface Difference {
  /** Numbers without a value. */
  missing: number
  /** Values at another time than that of their number: a second one of it. */
  elsewhere: number
}

/** Compares them; a reader sees one value of a tag and a time, as often as it is kept. */
export async function compareKept(db: Database, machines: readonly LoadedMachine[]): Promise<Difference> {
  const tags = await db
    .selectFrom('tags')
    .select(['id', 'machine_id'])
    .where('name', '=', 'n')
    .where(
      'machine_id',
      'in',
      machines.map(({ machineId }) => machineId),
    )
    .execute()
  const kept = Map.groupBy(await listKept(db), ({ tagId }) => tagId)
  const difference = { missing: 0, elsewhere: 0 }
  for (const { machineId, client } of machines) {
    const own = tags.filter((tag) => tag.machine_id === machineId)
    const values = own.flatMap(({ id }) => kept.get(id) ?? [])
    const seen = new Set(values.map(({ value }) => Number(value)))
    difference.elsewhere += values.filter(({ value, at }) => client.timeOf(Number(value)) !== at).length
    for (const number of client.acknowledged)
      if (!client.isAlarm(number) && !seen.has(number)) difference.missing++
  }
  return difference
}
