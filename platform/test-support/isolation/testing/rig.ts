import type { Server } from 'node:http'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createMachine,
  createUser,
  enterVisit,
  openTestTunnel,
  startTestPlatform,
  type TestMachine,
  type TestPlatform,
  type TestTunnelOptions,
  type TestUser,
  type VisitClient,
} from '@busbar/testkit'
import type { VisitRules } from '../../../src/visit-host/rules.ts'
import type { AttackedRig, End } from './vector.ts'

const fencePath = '/fence/'
const deadlineMs = 10_000
const askAgainMs = 100

/** A request that reached a machine's agent, complete. */
export interface Arrival {
  readonly target: string
  readonly method: string
  readonly path: string
  /** For a WebSocket. */
  readonly protocol: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The received part of the body. */
  body: string
  readonly stream: ServerHttp2Stream
}

type Answer = (stream: ServerHttp2Stream, arrival: Arrival) => void

/** A machine whose agent is ours, with the victim inside its page. */
export class Station {
  readonly machine: TestMachine
  readonly client: VisitClient
  readonly arrivals: Arrival[] = []
  /** The machine's answer; a page by default. */
  answer: Answer
  /** The end of its tunnel. */
  closeTunnel: () => void = () => undefined
  #fences = 0

  constructor(machine: TestMachine, client: VisitClient) {
    this.machine = machine
    this.client = client
    this.answer = answerPage
  }

  receive(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const arrival: Arrival = {
      target: String(headers[':authority']),
      method: String(headers[':method']),
      path: String(headers[':path']),
      protocol: headers[':protocol'] as string | undefined,
      headers,
      body: '',
      stream,
    }
    if (arrival.path.startsWith(fencePath)) {
      stream.respond({ ':status': 200 })
      stream.end('fence')
      return
    }
    this.arrivals.push(arrival)
    stream.on('data', (chunk: Buffer) => {
      arrival.body += chunk.toString('latin1')
    })
    this.answer(stream, arrival)
  }

  /** `METHOD path` of everything that came, after one further request went all the way. */
  async listArrivals(): Promise<string[]> {
    const { status, text } = await this.client.request(`${fencePath}${++this.#fences}`)
    if (text !== 'fence') throw new Error(`the machine is out of reach: ${status} ${text}`)
    return this.arrivals.map(({ method, path }) => `${method} ${path}`)
  }

  /** The headers of the victim's browser on this host. */
  get lines(): string[] {
    return [`Host: ${this.client.host}`, `Cookie: ${this.client.cookie}`, 'Sec-Fetch-Site: same-origin']
  }

  /** The head of a request as the victim's browser would send it, with further lines. */
  head(requestLine: string, lines: readonly string[] = []): string {
    return `${[`${requestLine} HTTP/1.1`, ...this.lines, ...lines].join('\r\n')}\r\n\r\n`
  }

  reset(): void {
    for (const { stream } of this.arrivals) if (!stream.closed) stream.close()
    this.arrivals.length = 0
    this.answer = answerPage
  }
}

export function answerPage(stream: ServerHttp2Stream, { protocol }: Arrival): void {
  if (stream.closed || stream.destroyed) return
  stream.respond({ ':status': 200, ...(protocol ? {} : { 'content-type': 'text/html' }) })
  if (!protocol) stream.end('the page')
}

/** A platform with two machines, and a victim who is inside both of them. */
export interface Rig extends AttackedRig {
  readonly site: TestPlatform
  readonly clock: { offsetMs: number }
  readonly victim: TestUser
  /** The attacker's: it controls its page and its agent. */
  readonly evil: Station
  /** The attacker's target. */
  readonly good: Station
  /** A further machine with the victim, or another person, inside. */
  addStation(user?: TestUser, options?: TestTunnelOptions): Promise<Station>
}

export interface RigOptions {
  /** Defences to replace. */
  readonly rules?: Partial<VisitRules>
  /** Changes the web server before it is attacked. */
  readonly weaken?: (server: Server) => void
}

/** Starts a platform to attack. */
export async function startRig({ rules, weaken }: RigOptions = {}): Promise<Rig> {
  const clock = { offsetMs: 0 }
  const site = await startTestPlatform(
    {},
    { now: () => Date.now() + clock.offsetMs, ...(rules ? { visitRules: rules } : {}) },
  )
  weaken?.(site.platform.app.server as Server)
  const victim = await createUser(site.db, { name: 'Victim' })
  const stations: Station[] = []

  async function addStation(user = victim, options: TestTunnelOptions = {}): Promise<Station> {
    const machine = await createMachine(site.db, { owner: user.userId })
    let station: Station | undefined
    const tunnel = await openTestTunnel(
      site,
      machine,
      (stream, headers) => {
        if (station) station.receive(stream, headers)
        else stream.respond({ ':status': 204 }, { endStream: true })
      },
      options,
    )
    station = new Station(machine, await enterVisit(site, user, machine))
    station.closeTunnel = tunnel.close
    stations.push(station)
    return station
  }

  const [evil, good] = [await addStation(), await addStation()]
  return {
    ...{ site, clock, victim, evil, good, addStation },
    reset() {
      for (const station of stations) station.reset()
    },
    stop: () => site.stop(),
  }
}

/** Every visit of a person, ended ones included. */
export function listVisits({ site }: Pick<Rig, 'site'>, userId: number) {
  return site.db.selectFrom('visits').select('id').where('user_id', '=', userId).execute()
}

/** A person leaves every machine they are in. */
export async function leaveVisits(rig: Pick<Rig, 'site' | 'clock'>, userId: number): Promise<void> {
  for (const { id } of await listVisits(rig, userId))
    await rig.site.platform.visits.visitPort.leave(id, Date.now() + rig.clock.offsetMs)
}

/** Resolves when a person is inside no machine any more: a right that is lost is followed within a second. */
export async function visitsEnded({ site }: Pick<Rig, 'site'>, userId: number): Promise<void> {
  const end = Date.now() + deadlineMs
  const findLive = () =>
    site.db
      .selectFrom('visits')
      .select('id')
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
  while (await findLive()) {
    if (Date.now() > end) throw new Error('a visit did not end')
    await delay(20)
  }
}

/**
 * The good machine's visitor requests a page while an attack goes on. They are told to try again where this process could
 * not read the rights for a second, and are not served if it takes until the deadline.
 */
export async function othersWork({ good }: Rig): Promise<End> {
  const late = delay(deadlineMs, { status: 0, text: 'no answer' }, { ref: false })
  for (;;) {
    const { status, text } = await Promise.race([good.client.request('/others'), late])
    if (status !== 503) return { saw: `${status} ${text}`, wanted: '200 the page' }
    await delay(askAgainMs)
  }
}

/** Waits for a condition that must become true. */
export async function until(look: () => boolean, what: string): Promise<void> {
  const end = Date.now() + deadlineMs
  while (!look()) {
    if (Date.now() > end) throw new Error(`waited ${deadlineMs} ms for ${what}`)
    await delay(5)
  }
}
