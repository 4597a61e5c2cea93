import { iccidKey, iccidPattern, operator, simLimits } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { readTable, type TableRow } from '../../kernel/files/read-table.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { listPlanIds } from './plans-store.ts'
import { countCards, createCards, listKnown, listMachinesOf, type NewCard } from './sims-store.ts'

const columns = {
  iccid: ['iccid', 'ICCID', '卡号'],
  machineCode: ['machineCode', 'machine code', '机器码'],
  plan: ['plan', '套餐'],
  expireAt: ['expireAt', 'expires', '到期时间', '到期日期'],
} as const

const dateText = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
/** A day that a file names ends in China. */
const zone = '+08:00'

interface Line {
  readonly line: number
  readonly iccid: string
  readonly code: string
  readonly plan: string
  readonly expireAt: number | null
}

type Refused = { readonly line: number; readonly reason: operator.CardRefusal }

/**
 * Registers the cards of a file; a card that is known is refused, never overwritten (rules/sims.md: cards).
 * @throws Failure 12010302, TABLE_UNREADABLE, SIM_CARDS_FULL
 */
export async function importCards(
  db: Database,
  actor: Actor,
  csv: string,
): Promise<{ created: number; refused: Refused[] }> {
  const table = await readTable(csv, { rowsMax: operator.importLinesMax, refusal: '12010302', columns })
  const seen = new Set<string>()
  const read = await table.map((row) => readLine(row, seen))
  const lines = read.filter((one) => 'iccid' in one)
  const refused: Refused[] = read.filter((one) => 'reason' in one)
  const created = await withTransaction(db, async (trx) => {
    if ((await countCards(trx)) + lines.length > simLimits.cardsMax) throw new Failure('SIM_CARDS_FULL')
    const known = await listKnown(
      trx,
      lines.map(({ iccid }) => iccidKey(iccid)),
    )
    const machines = await listMachinesOf(
      trx,
      lines.map(({ code }) => code),
    )
    const plans = await listPlanIds(trx)
    const good: (NewCard & { readonly line: number })[] = []
    for (const { line, iccid, code, plan, expireAt } of lines) {
      const machineId = code === '' ? null : machines.get(code)
      const planId = plans.get(plan.toLowerCase())
      const other = known.get(iccidKey(iccid))
      if (other !== undefined)
        refused.push({ line, reason: other === (machineId ?? null) ? 'known' : 'otherMachine' })
      else if (machineId === undefined) refused.push({ line, reason: 'machine' })
      else if (planId === undefined) refused.push({ line, reason: 'plan' })
      else good.push({ line, iccid, machineId, planId, expireAt })
    }
    const made = await createCards(trx, good, new Date(actor.now))
    refused.push(
      ...good.filter(({ iccid }) => !made.has(iccid)).map(({ line }) => ({ line, reason: 'known' as const })),
    )
    await auditAct(trx, actor, {
      action: 'sim.import',
      target: `${made.size}`,
      detail: { created: made.size, refused: refused.length },
    })
    return made.size
  })
  return { created, refused: refused.sort((a, b) => a.line - b.line) }
}

function readLine(row: TableRow, seen: Set<string>): Line | Refused {
  const { line } = row
  const iccid = row.exact('iccid').replace(/[\s-]/g, '').toUpperCase()
  const expireAt = readEnd(row.cell('expireAt').trim())
  if (row.isTooWide) return { line, reason: 'columns' }
  if (!iccidPattern.test(iccid)) return { line, reason: 'iccid' }
  if (seen.has(iccidKey(iccid))) return { line, reason: 'twice' }
  if (expireAt === undefined) return { line, reason: 'expireAt' }
  seen.add(iccidKey(iccid))
  return { line, iccid, code: row.cell('machineCode').trim(), plan: row.cell('plan').trim(), expireAt }
}

/** The end of a day, or an instant with a zone; null for an empty cell, undefined for anything else. */
function readEnd(text: string): number | null | undefined {
  if (text === '') return null
  const [, year = '', month = '', day = ''] = dateText.exec(text) ?? []
  if (year === '') return readInstant(text)
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = Date.parse(`${iso}T23:59:59${zone}`)
  // The 30th of February is read as the 2nd of March.
  const isReal = !Number.isNaN(at) && new Date(Date.parse(iso)).toISOString().startsWith(iso)
  return isReal ? at : undefined
}

const instantText = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/
function readInstant(text: string): number | undefined {
  const at = instantText.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
