import { platformAlarms } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { type AlarmEvent, writeAlarmsWithin } from '../alarms/index.ts'

/** A state of a card that its machine's people are told: `usage80`, `ends30`, `elsewhere`. */
export type CardMark = `usage${number}` | `ends${number}` | 'elsewhere'

const dayMs = 86_400_000
const mb = 1_000_000
/** Of a month's volume, in percent. */
const usageSteps = [100, 95, 80] as const
/** Days before the end of a plan. */
const endSteps = [1, 7, 30] as const

export interface MarkedCard {
  readonly id: number
  readonly iccid: string
  readonly machineId: number | null
  readonly usedBytes: number | null
  readonly totalMb: number | null
  readonly expireAt: number | null
  readonly isElsewhere: boolean
  readonly told: readonly string[]
}

/** The marks that a card has now: of the steps of each kind the last one that it passed. */
export function marksOf(card: Omit<MarkedCard, 'told' | 'id' | 'iccid'>, now: number): CardMark[] {
  if (card.machineId === null) return []
  const { usedBytes, totalMb, expireAt } = card
  const percent = usedBytes === null || totalMb === null ? 0 : (usedBytes / (totalMb * mb)) * 100
  const usage = usageSteps.find((step) => percent >= step)
  const end = expireAt === null ? undefined : endSteps.find((days) => expireAt - now < days * dayMs)
  return [
    ...(usage === undefined ? [] : [`usage${usage}` as const]),
    ...(end === undefined ? [] : [`ends${end}` as const]),
    ...(card.isElsewhere ? ['elsewhere' as const] : []),
  ]
}

/** When the end of a plan comes so near that it is told next; null: never. */
export function nextWatch(expireAt: number | null, now: number): number | null {
  if (expireAt === null) return null
  const steps = endSteps.map((days) => expireAt - days * dayMs).filter((at) => at > now)
  return steps.length === 0 ? null : Math.min(...steps)
}

/**
 * Raises and clears the alarms of a card, and records their facts; answers the marks that stand now. The caller stores
 * them in the same transaction, under the lock of the card.
 */
export async function tellMarks(
  trx: Transaction<DB>,
  facts: Facts,
  card: MarkedCard,
  now: number,
): Promise<readonly string[]> {
  const { machineId, id: simId } = card
  const marks: readonly string[] = marksOf(card, now)
  if (machineId === null) return marks
  const news = marks.filter((mark) => !card.told.includes(mark)) as CardMark[]
  const gone = card.told.filter((mark) => !marks.includes(mark)) as CardMark[]
  const events = [
    ...gone.map((mark) => alarmOf(machineId, card.iccid, mark, 'cleared', now)),
    ...news.map((mark) => alarmOf(machineId, card.iccid, mark, 'raised', now)),
  ]
  if (events.length === 0) return marks
  await writeAlarmsWithin(trx, events, facts)
  for (const mark of news) await facts.record(trx, factOf({ machineId, simId, at: now }, mark))
  return marks
}

/** Ends the alarms of a card that leaves its machine. */
export async function clearMarks(
  trx: Transaction<DB>,
  facts: Facts,
  { machineId, iccid, told }: Pick<MarkedCard, 'machineId' | 'iccid' | 'told'>,
  now: number,
): Promise<void> {
  if (machineId === null) return
  const events = (told as CardMark[]).map((mark) => alarmOf(machineId, iccid, mark, 'cleared', now))
  await writeAlarmsWithin(trx, events, facts)
}

const stepOf = (mark: CardMark): number => Number(/\d+$/.exec(mark)?.[0] ?? 0)

function factOf(of: { machineId: number; simId: number; at: number }, mark: CardMark): NewFact {
  if (mark === 'elsewhere') return { kind: 'sim.inOtherMachine', ...of }
  return mark.startsWith('usage')
    ? { kind: 'sim.usageCrossed', ...of, percent: stepOf(mark) }
    : { kind: 'sim.endsSoon', ...of, days: stepOf(mark) }
}

function alarmOf(
  machineId: number,
  iccid: string,
  mark: CardMark,
  state: AlarmEvent['state'],
  at: number,
): AlarmEvent {
  const card = iccid.slice(-4)
  const step = stepOf(mark)
  const { simUsage, simEnds, simElsewhere } = platformAlarms
  const { key, text } = mark === 'elsewhere' ? simElsewhere : mark.startsWith('usage') ? simUsage : simEnds
  const fill = (words: string) =>
    words.replace('{card}', card).replace('{percent}', String(step)).replace('{days}', String(step))
  return {
    machineId,
    key: `${key}/${card}${step === 0 ? '' : `/${step}`}`,
    level:
      mark === 'usage80' || mark === 'ends30'
        ? 'minor'
        : mark === 'usage95' || mark === 'ends7'
          ? 'major'
          : 'critical',
    text: { cn: fill(text.cn), en: fill(text.en) },
    state,
    isRepeat: false,
    late: false,
    at,
    receivedAt: at,
    standing: undefined,
  }
}
