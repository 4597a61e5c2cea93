import type { SimState } from '@busbar/contract'
import { z } from 'zod'
import { askJson, basicOf } from '../../../kernel/outgoing-http/ask-json.ts'
import type { Carrier, CarrierCard } from './carrier.ts'
import {
  bytes,
  digits,
  iccid as iccidField,
  instant,
  pageAfter,
  pickAsked,
  readEntries,
  stateOf,
  unlessUnknown,
  word,
} from './read-answer.ts'

const states: Readonly<Record<string, SimState>> = {
  INVENTORY: 'unactivated',
  TEST_READY: 'silent',
  ACTIVATION_READY: 'toActivate',
  ACTIVATED: 'working',
  DEACTIVATED: 'suspended',
  RETIRED: 'recycled',
  PURGED: 'deleted',
}

const pageSize = 50

const found = z.object({ devices: z.array(z.unknown()).max(1_000), lastPage: z.boolean() })
const listed = z.object({ iccid: iccidField })
const told = { iccid: iccidField, msisdn: digits, imei: digits, status: word }
const device = z.object({ ...told, dateActivated: instant })
const used = z.object({
  ...told,
  ctdDataUsage: bytes,
  overageLimitReached: z.boolean().optional(),
  /** `DEFAULT`: the card cannot go beyond the limit. */
  overageLimitOverride: word,
})

export interface SignedCarrier {
  readonly url: string
  readonly user: string
  readonly secret: string
  readonly now: () => number
}

/**
 * Cisco IoT Control Center, REST version 1 (developer.cisco.com/docs/control-center), which China Unicom and others run.
 * Built after its documentation, not tried by us. The user signs in with the key of its API (HTTP Basic). The
 * documentation permits one call at a time, five a second, and a list once a minute. It tells no stop reason but a limit
 * that was reached, no end of a card, no days, and no time of its figures.
 */
export function openControlCenter({ url, user, secret, now }: SignedCarrier): Carrier {
  const headers = { authorization: basicOf(user, secret), accept: 'application/json' }
  const ask = <Shape extends z.ZodType>(path: string, shape: Shape) =>
    askJson(new URL(`/rws/api/v1/devices${path}`, url), shape, { headers })
  const cardOf = (
    { iccid, msisdn, imei, status }: z.output<typeof device> | z.output<typeof used>,
    more: Pick<CarrierCard, 'stopReason' | 'activeAt'>,
  ): CarrierCard => ({
    iccid,
    msisdn,
    imei,
    word: status,
    state: stateOf(states, status),
    expireAt: null,
    ...more,
  })

  return {
    limits: {
      callsAtOnceMax: 1,
      callsPerSecondMax: 5,
      detailCardsMax: 1,
      usageCardsMax: 1,
      listEveryMs: 60_000,
    },
    states,

    async listChanged(since, page) {
      const pageNumber = Number(page ?? 1)
      const query = new URLSearchParams({
        modifiedSince: `${new Date(since).toISOString().slice(0, 19)}+00:00`,
        pageSize: String(pageSize),
        pageNumber: String(pageNumber),
      })
      const { devices, lastPage } = await ask(`?${query}`, found)
      return {
        iccids: readEntries(devices, listed).map(({ iccid }) => iccid),
        next: pageAfter(pageNumber, lastPage || devices.length === 0),
      }
    },
    listCards: undefined,

    async details(iccids) {
      const [iccid] = iccids
      if (iccid === undefined) return []
      const answer = await unlessUnknown(ask(`/${encodeURIComponent(iccid)}`, device))
      if (!answer) return []
      const card = cardOf(answer, { stopReason: undefined, activeAt: answer.dateActivated })
      return pickAsked([iccid], [card])
    },

    async usage(iccids) {
      const [iccid] = iccids
      if (iccid === undefined) return []
      const answer = await unlessUnknown(ask(`/${encodeURIComponent(iccid)}/ctdUsages`, used))
      if (!answer) return []
      const { ctdDataUsage, overageLimitReached, overageLimitOverride } = answer
      const isStopped = overageLimitReached && overageLimitOverride === 'DEFAULT'
      const stopReason = overageLimitReached === undefined ? undefined : isStopped ? 'overQuota' : null
      const usage = { iccid: answer.iccid, cycleBytes: ctdDataUsage, days: [], asOf: now() }
      const [picked] = pickAsked([iccid], [usage])
      return picked ? [{ ...picked, card: { ...cardOf(answer, { stopReason, activeAt: null }), iccid } }] : []
    },
  }
}
