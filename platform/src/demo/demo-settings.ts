import type { TagSettings } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'
import type { DemoPlant } from './demo-enterprise.ts'

const dayMs = 86_400_000

/** By trade: the encoding of a panel’s texts, which its simulator writes. */
const encodings = { 'water-treatment': 'gbk' } as const

/** By trade and tag. */
const settingsOf = (madeAt: number): Readonly<Record<string, Readonly<Record<string, TagSettings>>>> => ({
  'booster-pumps': { pumps_on: { readAs: 'int64' } },
  'water-treatment': {
    treated_volume: { resets: [{ at: madeAt - 90 * dayMs, from: 9_998_124, to: 0 }] },
  },
})

/** Sets, as a demo account did at its machines, the encoding of texts, a variable’s type, and a meter that was replaced. */
export async function createDemoSettings(
  trx: Transaction<DB>,
  { machineIds, madeAt }: DemoPlant,
): Promise<void> {
  for (const [trade, encoding] of Object.entries(encodings)) {
    await trx
      .updateTable('machines')
      .set({ text_encoding: encoding })
      .where('id', '=', machineIds.get(trade) ?? 0)
      .execute()
  }
  const rows = Object.entries(settingsOf(madeAt)).flatMap(([trade, tags]) =>
    Object.entries(tags).flatMap(([tag, settings]) => {
      const machineId = machineIds.get(trade)
      const made = { group_name: '', tag_name: tag, settings: JSON.stringify(settings) }
      return machineId === undefined ? [] : [{ ...made, machine_id: machineId, updated_at: new Date(madeAt) }]
    }),
  )
  if (rows.length === 0) return
  await trx
    .insertInto('tag_settings')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
