import { type SimState, simStopReasons } from '@busbar/contract'
import { z } from 'zod'
import { askJson } from '../../../kernel/outgoing-http/ask-json.ts'
import type { Carrier, CarrierCard } from './carrier.ts'
import { beginOfChinaDay, chinaDayOf, formatChinaDay, monthOfChinaDay } from './china-days.ts'
import type { SignedCarrier } from './control-center.ts'
import {
  digits,
  iccid as iccidField,
  instant,
  megabytes,
  pageAfter,
  pickAsked,
  readEntries,
  stateOf,
} from './read-answer.ts'
import { signRequest } from './sign-request.ts'

/** `sim_status` */
const statusWords: Readonly<Record<number, string>> = {
  10: '可测试',
  11: '未激活',
  13: '可激活',
  14: '已停用',
  20: '在用',
  30: '已拆机',
}
/** `operator_status` of a card that is not stopped. */
const notStopped = -1
/** `operator_status` from 1, in the order of `simStopReasons`. */
const stopWords = [
  '停机（超流量停机）',
  '停机（超流量阈值停机）',
  '停机（流量池停机）',
  '停机（套餐到期停机）',
  '停机（主动停机）',
  '停机（违规停机）',
  '停机（机卡分离停机）',
] as const

const states: Readonly<Record<string, SimState>> = {
  可测试: 'silent',
  未激活: 'unactivated',
  可激活: 'toActivate',
  已停用: 'suspended',
  在用: 'working',
  已拆机: 'recycled',
  '停机（超流量停机）': 'suspended',
  '停机（超流量阈值停机）': 'suspended',
  '停机（流量池停机）': 'suspended',
  '停机（套餐到期停机）': 'expired',
  '停机（主动停机）': 'suspended',
  '停机（违规停机）': 'suspended',
  '停机（机卡分离停机）': 'suspended',
}

const pageSize = 100
/** The shortest page that it takes. */
const shortPageSize = 10
const bytesOfMegabyte = 1_048_576
/** A month of a hundred cards. */
const usageBytesMax = 1024 * 1024

const found = z.object({ sim_cards: z.array(z.unknown()).max(1_000) })
const card = z.preprocess(
  // `cid` is the ICCID of a card of plastic.
  (told) => ({ ...(told as object), iccid: Object(told).iccid || Object(told).cid }),
  z.object({
    iccid: iccidField,
    msisdn: digits,
    imei: digits,
    sim_status: z.int(),
    operator_status: z.int().nullish(),
    act_date: instant,
    expire_time: instant,
  }),
)
const usedDay = z.object({
  date: z.string().regex(/^\d{4}-?\d\d-?\d\d$/),
  sim_flow: z.array(z.unknown()).max(1_000),
})
const usedByCard = z.object({ iccid: iccidField, flow: megabytes(bytesOfMegabyte) })

/**
 * Huawei Cloud’s Global SIM Link (support.huaweicloud.com/api-ocgsl), built after its documentation, not tried by us.
 * Requests are signed with an access key. The documentation permits five calls a second, and one of the list, which
 * tells all of each card. It tells the traffic of whole days of China, until yesterday.
 */
export function openGsl({ url, user, secret, now }: SignedCarrier): Carrier {
  const sign = (address: URL, body?: object) => {
    const text = body && JSON.stringify(body)
    const method = text === undefined ? 'GET' : 'POST'
    return signRequest({ method, url: address, body: text, accessKey: user, secretKey: secret, now: now() })
  }
  async function listPage(query: Readonly<Record<string, string>>) {
    const address = new URL(`/v1/sim-cards?${new URLSearchParams(query)}`, url)
    const { sim_cards } = await askJson(address, found, { headers: sign(address) })
    return { cards: readEntries(sim_cards, card).map(cardOf), count: sim_cards.length }
  }

  return {
    limits: {
      callsAtOnceMax: 1,
      // The list alone permits no more.
      callsPerSecondMax: 1,
      detailCardsMax: 1,
      usageCardsMax: 100,
      listEveryMs: 60_000,
    },
    states,

    listChanged: undefined,
    async listCards(page) {
      const number = Number(page ?? 1)
      const { cards, count } = await listPage({ limit: String(pageSize), offset: String(number) })
      return { cards, next: pageAfter(number, count < pageSize) }
    },

    async details(iccids) {
      const [iccid] = iccids
      if (iccid === undefined) return []
      const query = {
        main_search_type: '1',
        main_search_key: iccid,
        limit: String(shortPageSize),
        offset: '1',
      }
      return pickAsked([iccid], (await listPage(query)).cards)
    },

    async usage(iccids, since) {
      if (iccids.length === 0) return []
      const { query, until } = spanSince(since, now())
      const address = new URL('/v1/sim-cards/batch-daily-flow', url)
      const body = { iccids, ...query }
      const answer = await askJson(address, z.array(z.unknown()).max(100), {
        body,
        headers: sign(address, body),
        answerBytesMax: usageBytesMax,
      })
      const daysOf = new Map(iccids.map((iccid) => [iccid, [] as { day: string; bytes: number }[]]))
      for (const { date, sim_flow } of readEntries(answer, usedDay)) {
        const day = date.replace(/^(\d{4})-?(\d\d)-?(\d\d)$/, '$1-$2-$3')
        for (const { iccid, flow } of pickAsked(iccids, readEntries(sim_flow, usedByCard)))
          daysOf.get(iccid)?.push({ day, bytes: flow })
      }
      return [...daysOf].map(([iccid, days]) => ({
        ...{ iccid, days },
        cycleBytes: null,
        asOf: beginOfChinaDay(until),
        card: null,
      }))
    },
  }
}

/** One question has the day before today, or a month, at the earliest that before this one. */
function spanSince(since: number, now: number) {
  const today = chinaDayOf(now)
  const yesterday = today - 1
  if (chinaDayOf(since) >= yesterday)
    return { query: { date: formatChinaDay(yesterday).replaceAll('-', '') }, until: today }
  const begin = Math.max(monthOfChinaDay(chinaDayOf(since)), monthOfChinaDay(today, -1))
  return {
    query: { month: formatChinaDay(begin).slice(0, 7).replace('-', '') },
    until: Math.min(monthOfChinaDay(begin, 1), today),
  }
}

function cardOf({
  sim_status,
  operator_status,
  act_date,
  expire_time,
  ...told
}: z.output<typeof card>): CarrierCard {
  const isStopped = operator_status !== notStopped && typeof operator_status === 'number'
  const word = isStopped
    ? (stopWords[operator_status - 1] ?? `operator_status ${operator_status}`)
    : (statusWords[sim_status] ?? `sim_status ${sim_status}`)
  return {
    ...told,
    word,
    state: stateOf(states, word),
    stopReason: (isStopped ? simStopReasons[operator_status - 1] : undefined) ?? null,
    activeAt: act_date,
    expireAt: expire_time,
  }
}
