import type { checks as contract } from '@busbar/contract'
import { type Found, Seen } from './facts.ts'

/** From these on, a figure is a fault. */
export const bounds = {
  databaseMs: 2_000,
  browserClockMs: 5 * 60_000,
  clockOffsetMs: 60_000,
  roundTripMs: 2_000,
  diskFreeBytes: 50 * 1024 * 1024,
  memoryFreeBytes: 32 * 1024 * 1024,
  loadPerProcessor: 3,
  outboxOldestMs: 5 * 60_000,
  /** Of others of the same owner at the same address, that went at the same time. */
  awayTogether: 2,
  /** Below it, in dBm, a modem loses its connection. */
  signalDbm: -105,
} as const

type Sureness = 'sure' | 'likely' | undefined

interface Rule {
  readonly who: contract.CheckActor
  /** `of`: the connection, where it is a rule of each connection. */
  when(seen: Seen, of: string): Sureness
  readonly isOfConnection?: true
}

const sureIf = (isSo: boolean): Sureness => (isSo ? 'sure' : undefined)
const likelyIf = (isSo: boolean): Sureness => (isSo ? 'likely' : undefined)
const isAway = (seen: Seen) => seen.is('online', false)

/** A code of an agent's own try of a connection. */
const probed = (who: contract.CheckActor, code: string, sureness: 'sure' | 'likely'): Rule => ({
  who,
  isOfConnection: true,
  when: (seen, of) => (seen.is('probe', code, of) ? sureness : undefined),
})

/** Signal strength in dBm, as machines send it: `-87`, `-87 dBm`; undefined for any other words. */
function readDbm(text: string): number | undefined {
  const dbm = /^(-\d{2,3})(?:\s*dBm)?$/i.exec(text.trim())?.[1]
  return dbm === undefined ? undefined : Number(dbm)
}

/** Words of modems and carriers for a SIM that carries nothing. */
const deadSim = /suspend|deactivat|disabled|blocked|expired|no\s?sim|not\s?inserted|停机|欠费|停用|锁定|无卡/i

/** Failures of an agent's own line, in its words. */
const certificateTrouble = /certificate|self.signed|issuer|CERT_/i
const clockTrouble = /not yet valid|has expired/i
const proxyTrouble = /proxy/i
const nameTrouble = /ENOTFOUND|EAI_AGAIN|getaddrinfo/i

/** Codes of a controller from which nothing came. */
const silentProbes = ['timeout', 'unreachable']
/** The agent reads nothing from it, and it could not be tried, as on a serial line. */
const isOffUntried = (seen: Seen, of: string) =>
  seen.is('state', 'offline', of) && ['', 'notProbed'].includes(seen.text('probe', of))
const isSilent = (seen: Seen, of: string) => silentProbes.some((code) => seen.is('probe', code, of))

/**
 * The causes in the order in which they are looked for, the first that holds is told. `sure` only where nothing else
 * explains the facts (rules/agents.md: check).
 */
const rules = {
  platformFault: {
    who: 'operator',
    when: (seen) => sureIf(seen.is('holderReached', false)),
  },
  blacklisted: { who: 'keyHolder', when: (seen) => sureIf(seen.is('denial', 'BLACKLIST')) },
  ownerLocked: { who: 'operator', when: (seen) => sureIf(seen.is('ownerLocked', true)) },
  cloudServiceOff: {
    who: 'keyHolder',
    when: (seen) => sureIf(seen.is('cloudService', false) && !seen.is('role', 'ordinary')),
  },
  windowNotOpen: { who: 'you', when: (seen) => sureIf(seen.number('opensAt') !== undefined) },
  visitOver: { who: 'keyHolder', when: (seen) => sureIf(seen.is('denial', 'REST_TIME_OUT')) },
  noRight: {
    who: 'keyHolder',
    when: (seen) => sureIf(seen.text('denial') !== ''),
  },
  twoUsers: { who: 'keyHolder', when: (seen) => sureIf(seen.is('twoUsers', true)) },
  secretRefused: {
    who: 'keyHolder',
    when(seen) {
      const refusedAt = seen.number('refusedAt')
      if (!isAway(seen) || refusedAt === undefined) return undefined
      if (refusedAt < (seen.number('lastSeenAt') ?? 0)) return undefined
      return seen.is('refusedHere', true) ? 'sure' : 'likely'
    },
  },
  secretRenewed: {
    who: 'keyHolder',
    when: (seen) => likelyIf(isAway(seen) && seen.is('endReason', 'secretRenewed')),
  },
  neverConnected: {
    who: 'onSite',
    when: (seen) => likelyIf(isAway(seen) && seen.is('neverSeen', true) && !seen.is('tunnel', true)),
  },
  clockWrong: {
    who: 'onSite',
    when(seen) {
      if (Math.abs(seen.number('clockOffsetMs') ?? 0) <= bounds.clockOffsetMs) return undefined
      // The clock of a device that went was measured before.
      return isAway(seen) ? likelyIf(clockTrouble.test(seen.text('uplinkFailure'))) : 'sure'
    },
  },
  certificateReplaced: {
    who: 'it',
    when: (seen) => likelyIf(certificateTrouble.test(seen.text('uplinkFailure'))),
  },
  proxyFails: { who: 'it', when: (seen) => likelyIf(proxyTrouble.test(seen.text('uplinkFailure'))) },
  dnsFails: { who: 'it', when: (seen) => likelyIf(nameTrouble.test(seen.text('uplinkFailure'))) },
  mqttBlocked: {
    who: 'it',
    when: (seen) => likelyIf(isAway(seen) && seen.is('tunnel', true) && !seen.is('agentAnswers', false)),
  },
  agentHangs: {
    who: 'onSite',
    when: (seen) => likelyIf(isAway(seen) && seen.is('tunnel', true)),
  },
  messagesRefused: {
    who: 'keyHolder',
    when: (seen) => likelyIf(isAway(seen) && seen.is('endReason', 'messagesRefused')),
  },
  agentStopped: {
    who: 'onSite',
    when: (seen) => likelyIf(isAway(seen) && seen.is('endReason', 'goodbye')),
  },
  simStopped: {
    who: 'carrier',
    when: (seen) => likelyIf(isAway(seen) && deadSim.test(seen.text('simState'))),
  },
  siteAway: {
    who: 'it',
    when: (seen) => likelyIf(isAway(seen) && (seen.number('awayTogether') ?? 0) >= bounds.awayTogether),
  },
  weakSignal: {
    who: 'onSite',
    when: (seen) => likelyIf(isAway(seen) && (readDbm(seen.text('signal')) ?? 0) <= bounds.signalDbm),
  },
  away: { who: 'onSite', when: (seen) => likelyIf(isAway(seen)) },
  diskFull: {
    who: 'onSite',
    when: (seen) =>
      sureIf(seen.is('diskWell', false) || (seen.number('diskFree') ?? Infinity) < bounds.diskFreeBytes),
  },
  tunnelBlocked: {
    who: 'it',
    when: (seen) =>
      likelyIf(seen.is('online', true) && seen.is('tunnel', false) && seen.is('hadTunnel', true)),
  },
  agentSilent: {
    who: 'onSite',
    when: (seen) => likelyIf(seen.is('tunnel', true) && seen.is('agentAnswers', false)),
  },
  noConnections: {
    who: 'keyHolder',
    when: (seen) => sureIf(seen.is('agentAnswers', true) && seen.connections.length === 0),
  },
  plantNetwork: {
    who: 'onSite',
    when: (seen) =>
      likelyIf(seen.connections.length > 1 && seen.connections.every((of) => isSilent(seen, of))),
  },
  wrongUser: probed('keyHolder', 'wrongUser', 'sure'),
  plcCertificate: probed('keyHolder', 'certificate', 'sure'),
  notThisProtocol: probed('keyHolder', 'notThisProtocol', 'sure'),
  plcRefused: probed('onSite', 'refused', 'sure'),
  wrongUnit: probed('keyHolder', 'wrongUnit', 'likely'),
  wrongSlot: probed('keyHolder', 'wrongSlot', 'likely'),
  plcUnreachable: probed('onSite', 'unreachable', 'likely'),
  plcSilent: {
    who: 'onSite',
    isOfConnection: true,
    when: (seen, of) => likelyIf(seen.is('probe', 'timeout', of) || isOffUntried(seen, of)),
  },
  tagRefused: probed('keyHolder', 'readRefused', 'sure'),
  backlog: {
    who: 'it',
    when: (seen) => likelyIf((seen.number('outboxOldestMs') ?? 0) > bounds.outboxOldestMs),
  },
  valuesLost: { who: 'onSite', when: (seen) => likelyIf((seen.number('outboxDropped') ?? 0) > 0) },
  overloaded: {
    who: 'onSite',
    when(seen) {
      const load = seen.number('load') ?? 0
      return likelyIf(load > bounds.loadPerProcessor * (seen.number('processors') ?? 1))
    },
  },
  memoryLow: {
    who: 'onSite',
    when: (seen) => likelyIf((seen.number('memoryFree') ?? Infinity) < bounds.memoryFreeBytes),
  },
  slowLine: { who: 'it', when: (seen) => likelyIf((seen.number('roundTripMs') ?? 0) > bounds.roundTripMs) },
  pushBlocked: { who: 'it', when: (seen) => likelyIf(seen.is('pushOpen', false)) },
  platformSlow: {
    who: 'operator',
    when: (seen) => sureIf((seen.number('databaseMs') ?? 0) > bounds.databaseMs),
  },
  browserClock: {
    who: 'you',
    when: (seen) => likelyIf(Math.abs(seen.number('browserClockMs') ?? 0) > bounds.browserClockMs),
  },
  readOnly: { who: 'keyHolder', when: (seen) => sureIf(seen.is('readOnly', true)) },
} satisfies Record<string, Rule>

/** `nothing`: every part that could be asked is well. */
export type Cause = keyof typeof rules | 'nothing'

export interface FoundCause {
  readonly cause: Cause
  readonly who: contract.CheckActor
  readonly isSure: boolean
  /** The connection at fault; empty: none. */
  readonly connection: string
}

/** The first cause that holds for these parts. */
export function findCause(parts: readonly Found[]): FoundCause {
  const seen = new Seen(parts)
  for (const [cause, rule] of Object.entries(rules) as [keyof typeof rules, Rule][]) {
    for (const connection of rule.isOfConnection ? seen.connections : ['']) {
      const sureness = rule.when(seen, connection)
      if (sureness) return { cause, who: rule.who, isSure: sureness === 'sure', connection }
    }
  }
  const isSure = parts.every(({ state }) => state === 'ok')
  return { cause: 'nothing', who: 'nobody', isSure, connection: '' }
}
