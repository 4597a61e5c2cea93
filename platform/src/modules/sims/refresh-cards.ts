import { iccidKey, simStatus } from '@busbar/contract'
import type { Transaction } from 'kysely'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { ClockJob } from '../../kernel/jobs/index.ts'
import type { Logger } from '../../kernel/logger.ts'
import { isOfQuestion, ProviderFailed, type ProviderFault } from '../../kernel/outgoing-http/ask-json.ts'
import { nextWatch, tellMarks } from './card-marks.ts'
import type { Carrier, CarrierCard, CarrierUsage } from './carriers/carrier.ts'
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
  /** Whether the carrier answered; at the end of a run neither: what is left is due in the next one. */
  async function ask(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (signal.aborted) return false
      if (!(error instanceof ProviderFailed)) throw error
      logger.warn({ account: account.name, reason: error.message }, 'carrier.failed')
      await store.storeHealth(db, account.name, error.reason, new Date(now()))
      // Of other cards it may tell something.
      return isOfQuestion(error)
    }
  }
  // Figures do not wait for a list that its carrier refuses.
  await ask(() => readList(deps, account, signal))
  const { usageCardsMax } = account.carrier.limits
  for (;;) {
    const due = await store.listDue(db, account.name, new Date(now()), usageCardsMax)
    if (due.length === 0 || signal.aborted) return
    const hasAnswered = await ask(async () => {
      await refreshCards(deps, account, due, signal)
      await store.storeHealth(db, account.name, '', new Date(now()))
    })
    if (!hasAnswered) return
  }
}

/**
 * Reads the list of an account on, where it has one: cards that changed are due, and a list of whole cards is taken as it
 * is. A list that is longer than a run goes on in the next one.
 */
async function readList(deps: RefreshDeps, account: AskedAccount, signal: AbortSignal): Promise<void> {
  const { db, now } = deps
  const { name, carrier } = account
  const every = carrier.listChanged ? listEveryMs : carrier.listCards ? dayMs : undefined
  if (every === undefined) return
  const before = await store.findList(db, name)
  const { listedAt } = before
  const isDue = listedAt === null || now() - listedAt >= Math.max(every, carrier.limits.listEveryMs)
  if (before.begunAt === null && !isDue) return
  const begunAt = before.begunAt ?? now()
  const since = (listedAt ?? begunAt - dayMs) - listOverlapMs
  let { page } = before
  do {
    try {
      page = await readPage(deps, account, { since, page }, signal)
    } catch (error) {
      // A page that the carrier does not know any more would be asked for in every run.
      if (error instanceof ProviderFailed && !passing.has(error.reason))
        await store.storeList(db, name, { listedAt, begunAt: null, page: null })
      throw error
    }
    await store.storeList(
      db,
      name,
      page === null ? { listedAt: begunAt, begunAt: null, page } : { listedAt, begunAt, page },
    )
  } while (page !== null)
}

/** Faults after which the same page is asked for again. */
const passing: ReadonlySet<ProviderFault> = new Set(['unreachable', 'timeout', 'busy'])

/** Answers the next page. */
async function readPage(
  deps: RefreshDeps,
  { name, carrier, calls }: AskedAccount,
  { since, page }: { readonly since: number; readonly page: string | null },
  signal: AbortSignal,
): Promise<string | null> {
  const { db, now } = deps
  const { listChanged, listCards } = carrier
  if (listChanged) {
    const { iccids, next } = await calls.run(() => listChanged(since, page), signal)
    await store.makeDue(db, name, iccids.map(iccidKey), new Date(now()))
    return next
  }
  if (!listCards) return null
  const { cards, next } = await calls.run(() => listCards(page), signal)
  const listed = new Map(cards.map((card) => [iccidKey(card.iccid), card]))
  for (const { id, key, ...known } of await store.listOfAccount(db, name, [...listed.keys()])) {
    const card = listed.get(key)
    if (card && isNews(card, known)) await withTransaction(db, (trx) => take(deps, trx, id, { card }))
  }
  return next
}

/** Most cards of a list are as they were: those are not written. */
const isNews = (
  { word, msisdn, stopReason, activeAt }: CarrierCard,
  known: {
    readonly word: string
    readonly msisdn: string
    readonly stopReason: string | null
    readonly isActive: boolean
  },
): boolean =>
  word !== known.word ||
  msisdn !== known.msisdn ||
  (stopReason !== undefined && stopReason !== known.stopReason) ||
  (activeAt !== null && !known.isActive)

/** Asks for the figures of cards, and for their details where nothing else tells those. */
async function refreshCards(
  deps: RefreshDeps,
  { carrier, calls }: AskedAccount,
  due: readonly store.DueCard[],
  signal: AbortSignal,
): Promise<void> {
  const { db, now } = deps
  try {
    const since = Math.min(...due.map(({ asOf }) => asOf ?? 0))
    const told = await calls.run(
      () =>
        carrier.usage(
          due.map(({ iccid }) => iccid),
          since,
        ),
      signal,
    )
    const usages = new Map(told.map((usage) => [iccidKey(usage.iccid), usage]))
    const cards = new Map(told.flatMap(({ iccid, card }) => (card ? [[iccidKey(iccid), card] as const] : [])))
    // A list tells a card that has figures; one without may be unknown to its carrier.
    const isTold = ({ iccid, asOf }: store.DueCard) =>
      cards.has(iccidKey(iccid)) ||
      (carrier.listCards !== undefined && asOf !== null && usages.has(iccidKey(iccid)))
    const others = due.filter((card) => !isTold(card)).map(({ iccid }) => iccid)
    const { detailCardsMax } = carrier.limits
    for (let from = 0; from < others.length; from += detailCardsMax) {
      const part = others.slice(from, from + detailCardsMax)
      for (const card of await calls.run(() => carrier.details(part), signal))
        cards.set(iccidKey(card.iccid), card)
    }
    for (const { id, iccid } of due) {
      const key = iccidKey(iccid)
      const card = cards.get(key) ?? (others.includes(iccid) ? { ...noCard, iccid } : undefined)
      await withTransaction(db, (trx) => take(deps, trx, id, { card, usage: usages.get(key), isAsked: true }))
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

interface Told {
  /** Undefined: what was known of it stays. */
  readonly card?: CarrierCard | undefined
  readonly usage?: CarrierUsage | undefined
  /** Its figures were asked for. */
  readonly isAsked?: true
}

/** Takes what a carrier told of a card. */
async function take(
  { facts, now }: RefreshDeps,
  trx: Transaction<DB>,
  id: number,
  told: Told,
): Promise<void> {
  const at = now()
  const [before] = await store.lockCards(trx, [id])
  if (!before) return
  const { machineId } = before
  const state = told.card?.state ?? before.state
  const isChanged = state !== before.state
  if (isChanged && machineId !== null)
    await facts.record(trx, { kind: 'sim.stateChanged', machineId, simId: id, state: simStatus(state), at })
  await store.storeDays(trx, id, told.usage?.days ?? [])
  const expireAt = before.expireAt ?? told.card?.expireAt ?? null
  const changedAt = isChanged ? at : before.changedAt
  await settle(trx, facts, { ...before, expireAt, changedAt }, at, told)
}

/** Of a card that its carrier does not know. */
const noCard = {
  msisdn: '',
  state: 'unknown',
  word: '',
  stopReason: null,
  activeAt: null,
  expireAt: null,
  imei: '',
} as const

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
  const elsewhereAt = card.isReportedElsewhere ? at : card.elsewhereAt
  const isElsewhere = elsewhereAt !== null && at - elsewhereAt < store.elsewhereMs
  const marks = await tellMarks(trx, facts, { ...card, usedBytes, isElsewhere }, at)
  await store.storeOutcome(trx, card.id, {
    answer: told && {
      card: told.card,
      asOf: told.usage?.asOf ?? null,
      changedAt: card.changedAt,
      dueAt: told.isAsked && at + waitOf({ ...card, usedBytes }, at),
    },
    usedBytes,
    cycleFrom: usedBytes === null ? null : month.from,
    forecast: left === null ? null : forecastEnd(days, left, month),
    told: marks,
    watchAt: nextWatch(card.expireAt, at),
    elsewhereAt,
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
