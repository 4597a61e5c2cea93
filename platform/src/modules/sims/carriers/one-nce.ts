import { iccidKey, type SimState } from '@busbar/contract'
import { z } from 'zod'
import { askJson, basicOf, ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'
import type { Carrier, CarrierCard } from './carrier.ts'
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
  unlessUnknown,
  word,
} from './read-answer.ts'

const usedUp = 'Enabled, 0% remaining'
/** Of a card that is enabled, and whose quota is used up, the word is ours. */
const states: Readonly<Record<string, SimState>> = {
  Enabled: 'working',
  Disabled: 'suspended',
  [usedUp]: 'suspended',
}

const pageSize = 100
const dayMs = 86_400_000
/** Older days are not told. */
const daysMax = 180
/** Its figures have six places: millionths of a megabyte are bytes. */
const bytesOfMegabyte = 1_000_000
/** A token is used until so long before its end. */
const tokenSpareMs = 60_000

const token = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,16384}$/),
  expires_in: z.number().min(1).max(86_400),
})
/** 0: more than 20 % are left, 1: less, 2: nothing. */
const quotaUsedUp = 2
const sim = z.object({
  iccid: iccidField,
  msisdn: digits,
  imei: digits,
  status: word,
  activation_date: instant,
  quota_status: z.object({ id: z.number() }).nullish(),
})
const volume = megabytes(bytesOfMegabyte)
const used = z.object({ stats: z.array(z.unknown()).max(1_000) })
/** A sum over all days is an entry as well, with a word in place of the date. */
const day = z.object({ date: z.string(), data: z.object({ volume }).nullish() })

/**
 * 1NCE, version 1 of its API (help.1nce.com/api), built after its documentation, not tried by us. A token of an hour is
 * fetched by a user of the API with its password (OAuth 2, client credentials). The documentation permits ten calls a
 * second; it knows cards by 19 digits, tells days of UTC for six months, and no time of its figures.
 */
export function openOneNce({ url, user, secret, now }: SignedCarrier): Carrier {
  const tokens = new Tokens(async () => {
    const answer = await askJson(new URL('/management-api/oauth/token', url), token, {
      headers: { authorization: basicOf(user, secret) },
      body: { grant_type: 'client_credentials' },
    })
    return { text: answer.access_token, lastsMs: answer.expires_in * 1_000 }
  }, now)

  async function ask<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>> {
    const bearer = await tokens.get()
    try {
      return await askJson(new URL(`/management-api/v1/sims${path}`, url), shape, {
        headers: { authorization: `Bearer ${bearer}`, accept: 'application/json' },
      })
    } catch (error) {
      if (error instanceof ProviderFailed && error.status === 401) tokens.forget(bearer)
      throw error
    }
  }

  return {
    limits: {
      callsAtOnceMax: 4,
      callsPerSecondMax: 10,
      detailCardsMax: 1,
      usageCardsMax: 1,
      listEveryMs: 60_000,
    },
    states,

    listChanged: undefined,
    async listCards(page) {
      const number = Number(page ?? 1)
      const list = await ask(`?page=${number}&pageSize=${pageSize}`, z.array(z.unknown()).max(1_000))
      return {
        cards: readEntries(list, sim).map(cardOf),
        next: pageAfter(number, list.length < pageSize),
      }
    },

    async details(iccids) {
      const [iccid] = iccids
      if (iccid === undefined) return []
      const answer = await unlessUnknown(ask(`/${iccidKey(iccid)}`, sim))
      return answer ? pickAsked([iccid], [cardOf(answer)]) : []
    },

    async usage(iccids, since) {
      const [iccid] = iccids
      if (iccid === undefined) return []
      const asOf = now()
      const from = dayOf(Math.max(since, asOf - daysMax * dayMs))
      const answer = await unlessUnknown(
        ask(`/${iccidKey(iccid)}/usage?start_dt=${from}&end_dt=${dayOf(asOf)}`, used),
      )
      if (!answer) return []
      const days = readEntries(answer.stats, day).flatMap(({ date, data }) =>
        /^\d{4}-\d\d-\d\d(T|$)/.test(date) ? [{ day: date.slice(0, 10), bytes: data?.volume ?? 0 }] : [],
      )
      return [{ iccid, cycleBytes: null, days, asOf, card: null }]
    },
  }
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

function cardOf({ status, activation_date, quota_status, ...told }: z.output<typeof sim>): CarrierCard {
  const isUsedUp = status === 'Enabled' && quota_status?.id === quotaUsedUp
  const { iccid, msisdn, imei } = told
  return {
    ...{ iccid, msisdn, imei },
    word: isUsedUp ? usedUp : status,
    state: stateOf(states, isUsedUp ? usedUp : status),
    stopReason: isUsedUp ? 'overQuota' : null,
    activeAt: activation_date,
    expireAt: null,
  }
}

/** The token of an account, fetched once however many ask for it. */
class Tokens {
  readonly #fetch: () => Promise<{ readonly text: string; readonly lastsMs: number }>
  readonly #now: () => number
  #kept: { readonly text: string; readonly until: number } | undefined
  #fetching: Promise<string> | undefined

  constructor(fetch: () => Promise<{ readonly text: string; readonly lastsMs: number }>, now: () => number) {
    this.#fetch = fetch
    this.#now = now
  }

  get(): Promise<string> {
    if (this.#kept && this.#now() < this.#kept.until) return Promise.resolve(this.#kept.text)
    this.#fetching ??= this.#renew().finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  /** After the carrier refused it. */
  forget(text: string): void {
    if (this.#kept?.text === text) this.#kept = undefined
  }

  async #renew(): Promise<string> {
    const askedAt = this.#now()
    const { text, lastsMs } = await this.#fetch()
    this.#kept = { text, until: askedAt + lastsMs - tokenSpareMs }
    return text
  }
}
