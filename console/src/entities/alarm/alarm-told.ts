import type { notifications } from '@busbar/contract'

export type ToldRow = notifications.ToldRow
export type ToldEscalation = notifications.ToldEscalation
type ToldStep = ToldEscalation['steps'][number]

/** A person or contact within a step, with each message of that step. */
export interface ToldPerson {
  readonly who: string
  readonly name: string
  readonly isContact: boolean
  readonly messages: readonly ToldRow[]
}

/** A step of notifying people: 0 immediately, then those of the escalation. */
export interface ToldGroup {
  readonly step: number
  /** The time at which its first message was decided on; null if none was. */
  readonly at: number | null
  readonly people: readonly ToldPerson[]
  /** Of the escalation only. */
  readonly plan: ToldStep | undefined
}

/** The steps in their order, each with its people in the order in which they were told. */
export function groupTold(rows: readonly ToldRow[], escalation: ToldEscalation | null): readonly ToldGroup[] {
  const plans = new Map(escalation?.steps.map((plan) => [plan.step, plan]))
  const steps = new Set([0, ...rows.map(({ step }) => step), ...plans.keys()])
  return [...steps]
    .sort((a, b) => a - b)
    .map((step) => {
      const own = rows.filter((row) => row.step === step)
      const people = new Map<string, ToldPerson & { messages: ToldRow[] }>()
      for (const row of own) {
        const person = people.get(row.who)
        if (person) person.messages.push(row)
        else people.set(row.who, { who: row.who, name: row.name, isContact: row.isContact, messages: [row] })
      }
      return { step, at: own[0]?.createTime ?? null, people: [...people.values()], plan: plans.get(step) }
    })
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
/** A provider accepts a message immediately; its receipt takes longer, and rarely longer than this. */
const acceptWaitMs = 2 * secondMs
const receiptWaitMs = 5 * secondMs
const receiptMaxMs = 10 * minuteMs
const calmMs = 30 * secondMs

/** Time after which the list of notified people may be out of date; the push reports other changes. */
export function waitForTold(
  told: { readonly list: readonly ToldRow[]; readonly escalation: ToldEscalation | null },
  now: number,
): number {
  if (told.list.some(({ state }) => state === 'queued')) return acceptWaitMs
  const isOpen = ({ channel, state, settledAt }: ToldRow) =>
    (channel === 'sms' || channel === 'email') && state === 'sent' && now - (settledAt ?? now) < receiptMaxMs
  if (told.list.some(isOpen)) return receiptWaitMs
  const dueAt = told.escalation?.steps.find(({ state }) => state === 'next')?.dueAt
  if (dueAt == null) return calmMs
  return Math.min(calmMs, Math.max(acceptWaitMs, dueAt - now + secondMs))
}
