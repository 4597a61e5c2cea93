import { createHash } from 'node:crypto'
import { iccidKey, type SimCycle, type SimState, simStates, simStopReasons } from '@busbar/contract'
import { ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'
import type { Carrier, CarrierCard, CarrierUsage } from './carrier.ts'
import { beginOfChinaDay, chinaDayOf, formatChinaDay, monthOfChinaDay } from './china-days.ts'
import { stateOf } from './read-answer.ts'

export const simulatorFaults = ['slow', 'wrong', 'huge', 'unknownState'] as const
export type SimulatorFault = (typeof simulatorFaults)[number]

const wordOf = (state: SimState): string => state.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
/** A word that is missing in the table. */
const strangeWord = 'HIBERNATED'
const states: Readonly<Record<string, SimState>> = Object.fromEntries(
  simStates.filter((state) => state !== 'unknown').map((state) => [wordOf(state), state]),
)
/** States of cards that were never in use. */
const unused: ReadonlySet<SimState> = new Set(['unactivated', 'silent', 'toActivate'])
/** States of cards whose end is over. */
const ended: ReadonlySet<SimState> = new Set(['expired', 'recycled', 'deleted'])

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const yearMs = 365 * dayMs
/** Figures are counted by the hour, and told so much later. */
const delayMs = { min: 6 * hourMs, max: 11 * hourMs }
const daysMax = 180
const pageSize = 50
const cardsMax = 100_000
const slowMs = 5_000
const firstActivationAt = Date.UTC(2025, 0, 1)

interface SimulatorOptions {
  readonly now: () => number
  readonly cycle: SimCycle
  /** Asked at each call. */
  readonly fault?: (() => SimulatorFault | undefined) | undefined
}

/**
 * A carrier within this process, for demo and tests: all that it tells follows from the ICCID and the time. By the
 * characters of an ICCID:
 * - 18th 9: the state that the 19th names, from 1 unactivated to 0 deleted; where that is stopped or off, the 17th names
 *   the reason from 1 to 7
 * - 18th 8: in another device each second day
 * - 18th 7: stopped each second hour, over a threshold
 * - others work.
 */
export function openSimulator({ now, cycle, fault = () => undefined }: SimulatorOptions): Carrier {
  /** The cards that were asked for, as a carrier knows those that it sold. */
  const known = new Map<string, string>()

  async function beginCall(): Promise<void> {
    const wished = fault()
    if (wished === 'slow') {
      await new Promise((resolve) => setTimeout(resolve, slowMs))
      throw new ProviderFailed('timeout', 'the simulator is slow')
    }
    if (wished === 'wrong') throw new ProviderFailed('wrongAnswer', 'the simulator answers in another form')
    if (wished === 'huge') throw new ProviderFailed('wrongAnswer', 'the simulator answers without end')
  }

  function cardOf(iccid: string, at: number): CarrierCard {
    const simulated = simulate(iccidKey(iccid), at)
    const word = fault() === 'unknownState' ? strangeWord : simulated.word
    return { iccid, ...simulated, word, state: stateOf(states, word) }
  }

  return {
    limits: {
      callsAtOnceMax: 1,
      callsPerSecondMax: 100,
      detailCardsMax: 100,
      usageCardsMax: 100,
      listEveryMs: 1_000,
    },
    states,

    async listChanged(since, page) {
      await beginCall()
      const begin = Number(page ?? 0)
      const changed = [...known].filter(([key]) => lastChangeOf(key, now()) > since).map(([, iccid]) => iccid)
      const end = begin + pageSize
      return { iccids: changed.slice(begin, end), next: end < changed.length ? String(end) : null }
    },
    listCards: undefined,

    async details(iccids) {
      await beginCall()
      for (const iccid of iccids) if (known.size < cardsMax) known.set(iccidKey(iccid), iccid)
      return iccids.map((iccid) => cardOf(iccid, now()))
    },

    async usage(iccids, since) {
      await beginCall()
      return iccids.map((iccid) => usageOf(iccid, since, now(), cycle))
    },
  }
}

/** A number below 1 that is always the same for a card and a purpose. */
function draw(key: string, purpose: string): number {
  return createHash('sha256').update(`${key} ${purpose}`).digest().readUInt32BE() / 2 ** 32
}

const numberOf = (key: string, character: number): number => Number.parseInt(key.charAt(character - 1), 16)

function simulate(key: string, at: number): Omit<CarrierCard, 'iccid' | 'state'> {
  const [kind, named] = [numberOf(key, 18), numberOf(key, 19)]
  const isOverThreshold = kind === 7 && Math.floor(at / hourMs) % 2 === 1
  const state = isOverThreshold ? 'suspended' : kind === 9 ? simStates[(named + 9) % 10] : 'working'
  const isStopped = state === 'suspended' || state === 'disconnected'
  const namedReason = isStopped ? simStopReasons[numberOf(key, 17) - 1] : undefined
  const device = kind === 8 && Math.floor(at / dayMs) % 2 === 1 ? 'another' : 'own'
  const activeAt = firstActivationAt + Math.floor(draw(key, 'activation') * 365) * dayMs
  const years = Math.max(0, Math.floor((at - activeAt) / yearMs))
  return {
    msisdn: `86${Math.floor(draw(key, 'msisdn') * 1e11)
      .toString()
      .padStart(11, '1')}`,
    imei: `86${Math.floor(draw(key, `device ${device}`) * 1e13)
      .toString()
      .padStart(13, '0')}`,
    word: state === undefined || state === 'unknown' ? strangeWord : wordOf(state),
    stopReason: isOverThreshold ? 'overThreshold' : (namedReason ?? null),
    activeAt: state && unused.has(state) ? null : activeAt,
    expireAt: activeAt + (state && ended.has(state) ? years : years + 1) * yearMs,
  }
}

function lastChangeOf(key: string, at: number): number {
  const everyMs = { 7: hourMs, 8: dayMs }[numberOf(key, 18)]
  return everyMs === undefined ? (simulate(key, at).activeAt ?? 0) : Math.floor(at / everyMs) * everyMs
}

function usageOf(iccid: string, since: number, at: number, cycle: SimCycle): CarrierUsage {
  const key = iccidKey(iccid)
  const delay = delayMs.min + draw(key, 'delay') * (delayMs.max - delayMs.min)
  const asOf = Math.floor((at - delay) / hourMs) * hourMs
  const today = chinaDayOf(asOf)
  const { activeAt } = simulate(key, at)
  const isInUse = numberOf(key, 18) !== 9
  const meanBytes = (1 + Math.floor(draw(key, 'mean') * 30)) * 1_000_000
  const bytesOf = (day: number) => {
    if (!isInUse || activeAt === null || beginOfChinaDay(day) < activeAt) return 0
    const part = Math.min(1, (asOf - beginOfChinaDay(day)) / dayMs)
    return Math.round(meanBytes * (0.5 + draw(key, `day ${day}`)) * part)
  }
  const from = Math.max(chinaDayOf(since), today - daysMax)
  const daysFrom = (first: number) =>
    Array.from({ length: Math.max(0, today - first + 1) }, (_, index) => first + index)
  return {
    iccid,
    cycleBytes: daysFrom(beginOfCycle(today, cycle)).reduce((sum, day) => sum + bytesOf(day), 0),
    days: daysFrom(from).map((day) => ({ day: formatChinaDay(day), bytes: bytesOf(day) })),
    asOf,
    card: null,
  }
}

function beginOfCycle(today: number, cycle: SimCycle): number {
  if (cycle === 'calendar') return monthOfChinaDay(today)
  const day27 = monthOfChinaDay(today) + 26
  return today >= day27 ? day27 : monthOfChinaDay(today, -1) + 26
}
