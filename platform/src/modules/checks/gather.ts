import type { checks as contract } from '@busbar/contract'
import { agentServiceLimits, agentServicePath } from '@busbar/link'
import type { EdgeLink, MachinePresence, TunnelLine } from '../../edge-link/edge-link.ts'
import type { Database } from '../../kernel/database/database.ts'
import { within } from '../../kernel/deadline.ts'
import { addressKey } from '../../kernel/http/client-address.ts'
import { cleanText } from '../../kernel/storable-text.ts'
import { type Access, type AccessPort, presentRole } from '../access/index.ts'
import { askAgent } from '../agent-config/index.ts'
import { type Health, healthAnswer, type Probe, probeAnswer } from './agent-answers.ts'
import { type Found, listFacts } from './facts.ts'
import { bounds } from './find-cause.ts'
import { countAwayTogether, findLine, type StoredLine } from './line-store.ts'

/** Time limits in ms: a check of a device that is reached takes less than three seconds in all. */
const answerMsMax = { holder: 1_500, agent: 1_200, probes: 2_700, part: 2_900 } as const
const { answerBytesMax } = agentServiceLimits
/** Connections that are tried at once; of further ones the agent's own word counts. */
const probedMax = 32
const attributeCharactersMax = 64
/** A wrong secret is tried again every few minutes at least. */
const refusedLatelyMs = 10 * 60_000
/** Between the end of a connection and the note of its reason. */
const sameEndMs = 5_000
const uplinkFailureMs = 5 * 60_000

export interface GatherDeps {
  readonly db: Database
  readonly access: Pick<AccessPort, 'denialReason'>
  readonly link: Pick<EdgeLink, 'presence' | 'tunnel'>
  now(): number
}

/** The words of a browser about itself. */
export interface Browser {
  readonly address: string
  readonly pushOpen?: boolean | undefined
  readonly roundTripMs?: number | undefined
  readonly sentAt?: number | undefined
}

export interface Asked {
  readonly machineId: number
  readonly userId: number
  readonly access: Access
  readonly browser: Browser
  /** Epoch milliseconds. */
  readonly at: number
}

/** People who may enter a machine, and its keys where its cloud service is off, get every part of a check. */
export const maySeeAll = ({ rights }: Access): boolean => rights.has('visitor+') || rights.has('bkey+')

/** Begins the parts of a check that the person may get, all at once. Each answers in time, whatever fails. */
export function gatherParts(deps: GatherDeps, asked: Asked): Map<contract.CheckPart, Promise<Found>> {
  const { db, link } = deps
  const { machineId, userId, access, browser } = asked
  const begunAt = performance.now()
  const stored = findLine(db, machineId, userId).then((line) => ({
    line,
    databaseMs: Math.round(performance.now() - begunAt),
  }))
  const presence = inTime(
    answerMsMax.holder,
    link.presence([machineId]).then((all) => all.get(machineId)),
  )
  const parts: [contract.CheckPart, Promise<Found>][] = [
    ['browser', Promise.resolve(ofBrowser(browser, asked.at))],
    [
      'platform',
      stored.then(async ({ databaseMs }) => ofPlatform(databaseMs, (await presence) !== undefined)),
    ],
    ['rights', stored.then(({ line }) => ofRights(deps, asked, line))],
  ]
  if (maySeeAll(access)) {
    const tunnel = inTime(answerMsMax.holder, link.tunnel(machineId))
    const agent = tunnel.then(askHealth)
    const roundTrip = tunnel.then((line) => line && inTime(answerMsMax.agent, line.ping()))
    const ofLine = async () => {
      const now = await presence
      const gone = await stored.then(({ line }) => countGone(db, machineId, now, line))
      return lineFound({
        presence: now,
        stored: (await stored).line,
        at: asked.at,
        awayTogether: gone,
        hasTunnel: (await tunnel) !== undefined,
        roundTripMs: await roundTrip,
        health: (await agent).health,
      })
    }
    const ofConnections = async () =>
      connectionsFound(await tunnel, (await agent).health, begunAt + answerMsMax.probes)
    parts.push(['line', ofLine()], ['agent', agent.then(agentFound)], ['connections', ofConnections()])
  }
  return new Map(parts.map(([part, found]) => [part, orUnknown(found)]))
}

/** The answer, or undefined where it fails or comes late. */
async function inTime<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await within(ms, answer, () => new Error('late'))
  } catch {
    return undefined
  }
}

const orUnknown = async (found: Promise<Found>): Promise<Found> =>
  (await inTime(answerMsMax.part, found)) ?? { state: 'unknown', facts: [] }

const firstOf = (...states: (contract.CheckPartState | false)[]): contract.CheckPartState =>
  states.find((state) => state !== false) ?? 'ok'

function ofBrowser({ address, pushOpen, roundTripMs, sentAt }: Browser, at: number): Found {
  const browserClockMs = sentAt === undefined ? undefined : sentAt - at
  const isOff = Math.abs(browserClockMs ?? 0) > bounds.browserClockMs
  return {
    state: firstOf((pushOpen === false || isOff) && 'attention'),
    facts: listFacts({ calledFrom: address, pushOpen, browserMs: roundTripMs, browserClockMs }),
  }
}

const ofPlatform = (databaseMs: number, holderReached: boolean): Found => ({
  state: firstOf(!holderReached && 'failed', databaseMs > bounds.databaseMs && 'attention'),
  facts: listFacts({ databaseMs, holderReached }),
})

async function ofRights({ access: port }: GatherDeps, asked: Asked, line: StoredLine): Promise<Found> {
  const { access, userId, machineId, at } = asked
  const { role, readOnly } = presentRole(access)
  const mayEnter = access.rights.has('visitor+')
  const isHolder = access.rights.has('holder')
  return {
    state: firstOf(!mayEnter && 'failed', readOnly && 'attention'),
    facts: listFacts({
      role,
      readOnly: isHolder ? readOnly : undefined,
      denial: mayEnter ? undefined : await port.denialReason(userId, machineId, at),
      cloudService: isHolder ? mayEnter : undefined,
      endsAt: access.endsAt,
      opensAt: access.opensAt,
      ownerLocked: line.isOwnerLocked || undefined,
    }),
  }
}

async function countGone(
  db: Database,
  machineId: number,
  presence: MachinePresence | undefined,
  { last }: StoredLine,
): Promise<number | undefined> {
  if (!presence || presence.online || !last?.endedAt) return undefined
  const { address, endedAt } = last
  return countAwayTogether(db, machineId, { address, endedAt })
}

function lineFound(line: {
  readonly presence: MachinePresence | undefined
  readonly stored: StoredLine
  readonly at: number
  readonly awayTogether: number | undefined
  readonly hasTunnel: boolean
  readonly roundTripMs: number | undefined
  readonly health: Health | undefined
}): Found {
  const { presence, stored, health, hasTunnel: tunnel } = line
  const { last } = stored
  const online = presence?.online
  const now = presence?.connection
  const lastSeenAt = presence?.lastSeenAt ?? stored.lastSeenAt?.getTime()
  const clockOffsetMs = Math.round(
    presence?.clock?.offsetMs ?? stored.clockOffsetMs ?? health?.clockAheadMs ?? 0,
  )
  const roundTripMs = line.roundTripMs === undefined ? undefined : Math.round(line.roundTripMs)
  const isOdd =
    stored.hasTwoUsers ||
    Math.abs(clockOffsetMs) > bounds.clockOffsetMs ||
    (roundTripMs ?? 0) > bounds.roundTripMs
  return {
    state: firstOf(online === undefined && 'unknown', online === false && 'failed', isOdd && 'attention'),
    facts: listFacts({
      online,
      hadTunnel: stored.hadTunnel,
      ...refusedFacts(stored, line.at),
      endReason: online ? undefined : reasonOf(stored),
      neverSeen: lastSeenAt === undefined,
      lastSeenAt,
      connectedAt: now?.startedAt,
      protocol: now?.protocol ?? last?.protocol,
      address: now?.address ?? last?.address,
      endedAt: online ? undefined : last?.endedAt?.getTime(),
      twoUsers: stored.hasTwoUsers,
      awayTogether: line.awayTogether,
      tunnel,
      roundTripMs,
      clockOffsetMs,
      addressFamily: health?.line.family,
      proxy: health?.line.proxy,
      tlsIssuer: health?.line.tls?.issuer,
      uplinkFailure: uplinkFailureOf(health),
      signal: attributeOf(stored, 'signal'),
      simState: attributeOf(stored, 'sim', 'simState', 'sim_state'),
      iccid: attributeOf(stored, 'iccid'),
    }),
  }
}

/** A wrong secret after the machine was seen last; `refusedHere`: lately, and from the machine's own address. */
function refusedFacts({ refused, last }: StoredLine, at: number) {
  if (!refused) return {}
  const isOwn = last !== undefined && addressKey(last.address) === refused.from
  const isLate = at - refused.at.getTime() < refusedLatelyMs
  return { refusedAt: refused.at.getTime(), refusedFrom: refused.from, refusedHere: isOwn && isLate }
}

/** The reason of the newest end; undefined where the connection ended without one, as with its process. */
function reasonOf({ farewell, last }: StoredLine): string | undefined {
  const endedAt = last?.endedAt?.getTime()
  if (!farewell || endedAt === undefined) return undefined
  return Math.abs(farewell.at.getTime() - endedAt) < sameEndMs ? farewell.reason : undefined
}

/** Trouble of the agent's line that is not over. */
function uplinkFailureOf(health: Health | undefined): string | undefined {
  const [newest] = health?.line.failures ?? []
  return newest && health && health.at - newest.at < uplinkFailureMs ? newest.reason : undefined
}

function attributeOf({ attributes }: StoredLine, ...names: readonly string[]): string | undefined {
  const value = names.map((name) => attributes[name]).find((one) => ['string', 'number'].includes(typeof one))
  return value === undefined ? undefined : cleanText(String(value)).slice(0, attributeCharactersMax)
}

/** An agent's word about itself; `isOld`: it answers, but does not know the question. */
interface AgentSeen {
  readonly hasTunnel: boolean
  readonly isOld?: boolean
  readonly health?: Health
}

async function askHealth(line: TunnelLine | undefined): Promise<AgentSeen> {
  if (!line) return { hasTunnel: false }
  try {
    const limits = { answerMsMax: answerMsMax.agent, answerBytesMax }
    const answer = await askAgent(line, { path: agentServicePath.health, ...limits })
    if (answer.status !== 200) return { hasTunnel: true, isOld: true }
    return { hasTunnel: true, health: answer.read(healthAnswer) }
  } catch {
    return { hasTunnel: true }
  }
}

function agentFound({ hasTunnel, isOld, health }: AgentSeen): Found {
  if (!hasTunnel || isOld) return { state: 'unknown', facts: [] }
  if (!health) return { state: 'failed', facts: listFacts({ agentAnswers: false }) }
  const { version, node, system, uptimeMs, load, processors, memory, disk, outbox } = health
  const outboxOldestMs = outbox.oldestAt === null ? null : Math.max(0, health.at - outbox.oldestAt)
  const isFull = (disk?.freeBytes ?? Infinity) < bounds.diskFreeBytes || outbox.isDiskWell === false
  const isBusy =
    (load ?? 0) > bounds.loadPerProcessor * processors || memory.freeBytes < bounds.memoryFreeBytes
  const isBehind = (outboxOldestMs ?? 0) > bounds.outboxOldestMs || outbox.dropped > 0
  return {
    state: firstOf(isFull && 'failed', (isBusy || isBehind) && 'attention'),
    facts: listFacts({
      agentAnswers: true,
      version,
      nodeVersion: node,
      system,
      upS: Math.round(uptimeMs / 1_000),
      load,
      processors,
      memoryFree: memory.freeBytes,
      memoryUsed: memory.usedBytes,
      diskFree: disk?.freeBytes,
      diskWell: outbox.isDiskWell,
      outboxWaiting: outbox.waiting,
      outboxOldestMs,
      outboxDropped: outbox.dropped,
    }),
  }
}

async function connectionsFound(
  line: TunnelLine | undefined,
  health: Health | undefined,
  until: number,
): Promise<Found> {
  if (!line || !health) return { state: 'unknown', facts: [] }
  const each = await Promise.all(
    health.connections.map(async (connection, place) => ({
      connection,
      probe: place < probedMax ? await askProbe(line, connection.name, until - performance.now()) : undefined,
    })),
  )
  const isDown = each.some(({ connection, probe }) =>
    probe && probe.code !== 'notProbed' ? probe.code !== 'ok' : connection.state === 'offline',
  )
  return {
    state: firstOf(isDown && 'failed', each.length === 0 && 'attention'),
    facts: each.flatMap(({ connection, probe }) =>
      listFacts(
        {
          driver: connection.driver,
          state: connection.state,
          probe: probe?.code,
          probeMs: probe && Math.round((probe.connectMs ?? 0) + (probe.helloMs ?? 0) + (probe.readMs ?? 0)),
          failure: probe?.reason || connection.failure?.reason,
          valueAgeMs: connection.valueAgeMs,
        },
        connection.name,
      ),
    ),
  }
}

/** Undefined where the agent is not done in time: then its own word about the connection counts. */
async function askProbe(line: TunnelLine, connection: string, leftMs: number): Promise<Probe | undefined> {
  try {
    const limits = { answerMsMax: Math.max(0, leftMs), answerBytesMax }
    const answer = await askAgent(line, { path: agentServicePath.probe, body: { connection }, ...limits })
    return answer.status === 200 ? answer.read(probeAnswer) : undefined
  } catch {
    return undefined
  }
}
