import { iccidKey, simStatus } from '@busbar/contract'
import type { Transaction } from 'kysely'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { ClockJob } from '../../kernel/jobs/index.ts'
import type { Logger } from '../../kernel/logger.ts'
import { ProviderFailed } from '../../kernel/outgoing-http/ask-json.ts'
import { nextWatch, tellMarks } from './card-marks.ts'
import type { Carrier, CarrierCard, CarrierUsage, ChangedCards } from './carriers/carrier.ts'
import type { CarrierCalls } from './carriers/carrier-calls.ts'
import { forecastEnd } from './forecast.ts'
import { type DayBytes, dayOf, type PlanMonth, planMonthOf, sumWithin } from './plan-month.ts'
import * as store from './sims-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const mb = 1_000_000
/** A run ends before the next one is due; cards that are left are due in that. */
const runMsMax = 50_000
/** The list of changes is asked for so often, or as rarely as its carrier wants. */
const listEveryMs = 15 * minuteMs
/** Read again at each question: clocks differ, and a carrier may list a change late. */
const listOverlapMs = hourMs
const pagesMax = 2_000
const watchedMax = 500

interface AskedAccount {
  readonly name: string
  readonly carrier: Carrier
  readonly calls: Pick<CarrierCalls, 'run'>
}

export interface RefreshDeps {
  readonly db: Database
  readonly facts: Facts
  readonly logger: Pick<Logger, 'warn'>
  readonly accounts: readonly AskedAccount[]
  readonly now: () => number
}

/** Asks the carriers for the figures of cards that are due, each account within its limits (rules/sims.md: figures). */
export const refreshJob = (deps: RefreshDeps): ClockJob => ({
  name: 'sims.refresh',
  everyS: 60,
  async run({ signal }) {
    const until = AbortSignal.any([signal, AbortSignal.timeout(runMsMax)])
    await Promise.all(deps.accounts.map((account) => refreshAccount(deps, account, until)))
  },
})

/** Tells what comes with the time alone, and which cards other machines report. */
export const watchJob = ({ db, facts, now }: Pick<RefreshDeps, 'db' | 'facts' | 'now'>): ClockJob => ({
  name: 'sims.watch',
  everyS: 60,
  async run({ signal }) {
    for (const id of await store.listToWatch(db, new Date(now()), watchedMax)) {
      if (signal.aborted) return
      await withTransaction(db, async (trx) => {
        const [card] = await store.lockCards(trx, [id])
        if (card) await settle(trx, facts, card, now())
      })
    }
  },
})

/** Days of traffic are kept for a year and a month. */
export const removeDaysJob = ({ db, now }: Pick<RefreshDeps, 'db' | 'now'>): ClockJob => ({
  name: 'sims.removeOld',
  everyS: 86_400,
  run: () => store.removeOldDays(db, new Date(now())),
})

/** A card whose carrier answers nothing is asked for again after this. */
const failedWaitMs = hourMs

async function refreshAccount(deps: RefreshDeps, account: AskedAccount, signal: AbortSignal): Promise<void> {
  const { db, logger, now } = deps
  try {
    await readChanges(deps, account, signal)
    const { detailCardsMax } = account.carrier.limits
    for (;;) {
      const due = await store.listDue(db, account.name, new Date(now()), detailCardsMax)
      if (due.length === 0 || signal.aborted) return
      await refreshCards(deps, account, due, signal)
      await store.storeHealth(db, account.name, '', new Date(now()))
    }
  } catch (error) {
    // The end of the run: what is left is due in the next one.
    if (signal.aborted) return
    if (!(error instanceof ProviderFailed)) throw error
    logger.warn({ account: account.name, reason: error.message }, 'carrier.failed')
    await store.storeHealth(db, account.name, error.reason, new Date(now()))
  }
}

/** Makes the cards due that changed since the list was read last. */
async function readChanges(
  { db, now }: RefreshDeps,
  account: AskedAccount,
  signal: AbortSignal,
): Promise<void> {
  const { name, carrier, calls } = account
  const { listChanged, limits } = carrier
  if (!listChanged) return
  const at = now()
  const listedAt = await store.findListedAt(db, name)
  if (listedAt !== null && at - listedAt < Math.max(listEveryMs, limits.listEveryMs)) return
  const since = listedAt === null ? at - dayMs : listedAt - listOverlapMs
  let page: string | null = null
  for (let pages = 0; pages < pagesMax; pages++) {
    const from: string | null = page
    const { iccids, next }: ChangedCards = await calls.run(() => listChanged(since, from), signal)
    await store.makeDue(db, name, iccids.map(iccidKey), new Date(at))
    page = next
    if (page === null) break
  }
  await store.storeListed(db, name, new Date(at))
}

async function refreshCards(
  deps: RefreshDeps,
  { carrier, calls }: AskedAccount,
  due: readonly store.DueCard[],
  signal: AbortSignal,
): Promise<void> {
  const { db, now } = deps
  try {
    const usages = new Map<string, CarrierUsage>()
    const cards = new Map<string, CarrierCard>()
    const { usageCardsMax } = carrier.limits
    for (let from = 0; from < due.length; from += usageCardsMax) {
      const part = due.slice(from, from + usageCardsMax)
      const since = Math.min(...part.map(({ asOf }) => asOf ?? 0))
      const iccids = part.map(({ iccid }) => iccid)
      for (const usage of await calls.run(() => carrier.usage(iccids, since), signal)) {
        usages.set(iccidKey(usage.iccid), usage)
        if (usage.card) cards.set(iccidKey(usage.iccid), usage.card)
      }
    }
    const others = due.map(({ iccid }) => iccid).filter((iccid) => !cards.has(iccidKey(iccid)))
    if (others.length > 0) {
      for (const card of await calls.run(() => carrier.details(others), signal))
        cards.set(iccidKey(card.iccid), card)
    }
    for (const { id, iccid } of due) {
      const key = iccidKey(iccid)
      await withTransaction(db, (trx) => take(deps, trx, id, cards.get(key), usages.get(key)))
    }
  } catch (error) {
    if (error instanceof ProviderFailed) {
      const at = now()
      const ids = due.map(({ id }) => id)
      await store.storeFailed(db, ids, new Date(at), new Date(at + failedWaitMs))
    }
    throw error
  }
}

/** Takes what a carrier told of a card. One that it does not know has an unknown state. */
async function take(
  { facts, now }: RefreshDeps,
  trx: Transaction<DB>,
  id: number,
  told: CarrierCard | undefined,
  usage: CarrierUsage | undefined,
): Promise<void> {
  const at = now()
  const [before] = await store.lockCards(trx, [id])
  if (!before) return
  const card = told ?? { ...noCard, iccid: before.iccid }
  const isChanged = card.state !== before.state
  const { machineId } = before
  if (isChanged && machineId !== null)
    await facts.record(trx, {
      kind: 'sim.stateChanged',
      machineId,
      simId: id,
      state: simStatus(card.state),
      at,
    })
  await store.storeDays(trx, id, usage?.days ?? [])
  const expireAt = before.expireAt ?? card.expireAt
  await settle(trx, facts, { ...before, expireAt }, at, { card, usage, isChanged })
}

const noCard = {
  msisdn: '',
  state: 'unknown',
  word: '',
  stopReason: null,
  activeAt: null,
  expireAt: null,
  imei: '',
} as const

interface Told {
  readonly card: CarrierCard
  readonly usage: CarrierUsage | undefined
  readonly isChanged: boolean
}

/** Stores what follows from a card's figures and the time, and tells its alarms. */
async function settle(
  trx: Transaction<DB>,
  facts: Facts,
  card: store.LockedCard,
  at: number,
  told?: Told,
): Promise<void> {
  const days = await store.listDays(trx, card.id)
  const month = planMonthOf(dayOf(at), card.cycle)
  const usedBytes = usedOf(card, days, month, told?.usage)
  const left = card.totalMb === null || usedBytes === null ? null : card.totalMb * mb - usedBytes
  const marks = await tellMarks(trx, facts, { ...card, usedBytes }, at)
  const changedAt = told?.isChanged ? at : card.changedAt
  await store.storeOutcome(trx, card.id, {
    answer: told && {
      card: told.card,
      asOf: told.usage?.asOf ?? null,
      changedAt,
      dueAt: at + waitOf({ ...card, usedBytes, changedAt }, at),
    },
    usedBytes,
    cycleFrom: usedBytes === null ? null : month.from,
    forecast: left === null ? null : forecastEnd(days, left, month),
    told: marks,
    watchAt: nextWatch(card.expireAt, at),
  })
}

/** By the carrier's own count where it has one; without an answer the figure of this month stays. */
function usedOf(
  card: Pick<store.LockedCard, 'cycleFrom' | 'usedBytes'>,
  days: readonly DayBytes[],
  month: PlanMonth,
  usage: CarrierUsage | undefined,
): number | null {
  if (usage) return usage.cycleBytes ?? sumWithin(days, month)
  if (card.cycleFrom === month.from) return card.usedBytes
  return days.length === 0 ? null : sumWithin(days, month)
}

/** The next question comes soon for cards near an end, and for those that changed lately. */
function waitOf(
  card: Pick<store.LockedCard, 'usedBytes' | 'totalMb' | 'expireAt' | 'changedAt'>,
  at: number,
): number {
  const isNearlyUsed =
    card.usedBytes !== null && card.totalMb !== null && card.usedBytes >= 0.8 * card.totalMb * mb
  const endsSoon = card.expireAt !== null && card.expireAt > at && card.expireAt - at < 7 * dayMs
  if (isNearlyUsed || endsSoon) return 2 * hourMs
  return card.changedAt !== null && at - card.changedAt < 2 * dayMs ? 6 * hourMs : dayMs
}
