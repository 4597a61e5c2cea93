import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, machines } from '@busbar/contract'
import type { VisitClient } from '@busbar/testkit'
import type { MqttClient } from 'mqtt'
import type { ProgramLine } from '../ports/program-line.ts'

const callEveryMs = 200
const publishEveryMs = 100
const askEveryMs = 100
const answerPollMs = 5
/** MBAP, and function 3 of one register; its echo is as long. */
const modbusRequest = (id: number) => Buffer.from([id >> 8, id & 0xff, 0, 0, 0, 6, 1, 3, 0, 0, 0, 1])

/** The measurements of the bystanders during an attack. */
export interface Fate {
  readonly visit: 'open' | 'ended'
  /** The stream to a controller's port: each request was answered, and nothing else came. */
  readonly port: 'open' | 'ended'
  /** Lines of the visited page that reached the visitor. */
  readonly lines: number
  readonly failedCalls: readonly string[]
  readonly slowestCallMs: number
  readonly slowestAcknowledgementMs: number
  /** Of the controller. */
  readonly slowestAnswerMs: number
}

/** A visitor of a machine's page and of its port, a signed-in person, and another machine: each does its usual work. */
export class Bystanders {
  readonly #visit: VisitClient
  readonly #port: ProgramLine
  readonly #client: Client
  readonly #machine: MqttClient
  readonly #failedCalls: string[] = []
  readonly #loops: Promise<void>[] = []
  #page: IncomingMessage | undefined
  #lines = 0
  #sent = 0
  #isVisitOpen = true
  #asked = 0
  #isWatching = true
  #slowestCallMs = 0
  #slowestAcknowledgementMs = 0
  #slowestAnswerMs = 0
  #isPortRight = true

  constructor(options: { visit: VisitClient; port: ProgramLine; client: Client; machine: MqttClient }) {
    this.#visit = options.visit
    this.#port = options.port
    this.#client = options.client
    this.#machine = options.machine
  }

  /** Opens the visited page's stream and begins to call and to publish. */
  async start(): Promise<void> {
    const page = await this.#visit.open('/lines')
    this.#page = page
    page.on('data', () => this.#lines++)
    page.on('error', () => {
      this.#isVisitOpen = false
    })
    page.on('close', () => {
      this.#isVisitOpen = !this.#isWatching
    })
    this.#loops.push(this.#callOn(), this.#publishOn(), this.#askOn())
  }

  /** Ends the bystanders' work and answers how it went. */
  async stop(): Promise<Fate> {
    this.#isWatching = false
    await Promise.all(this.#loops)
    const wasOpen = this.#isVisitOpen
    this.#page?.destroy()
    const answer = await this.#visit.request('/')
    return {
      visit: wasOpen && answer.status === 200 ? 'open' : 'ended',
      port: this.#port.end === undefined && this.#isPortRight ? 'open' : 'ended',
      lines: this.#lines,
      failedCalls: this.#failedCalls,
      slowestCallMs: Math.round(this.#slowestCallMs),
      slowestAcknowledgementMs: Math.round(this.#slowestAcknowledgementMs),
      slowestAnswerMs: Math.round(this.#slowestAnswerMs),
    }
  }

  async #callOn(): Promise<void> {
    while (this.#isWatching) {
      try {
        this.#slowestCallMs = Math.max(this.#slowestCallMs, await timeOf(this.#call()))
      } catch (error) {
        this.#failedCalls.push(error instanceof Error ? error.message : String(error))
      }
      await sleep(callEveryMs)
    }
  }

  async #publishOn(): Promise<void> {
    while (this.#isWatching) {
      this.#slowestAcknowledgementMs = Math.max(this.#slowestAcknowledgementMs, await timeOf(this.#publish()))
      await sleep(publishEveryMs)
    }
  }

  async #askOn(): Promise<void> {
    while (this.#isWatching && this.#port.end === undefined && this.#isPortRight) {
      this.#slowestAnswerMs = Math.max(this.#slowestAnswerMs, await timeOf(this.#askPort()))
      await sleep(askEveryMs)
    }
  }

  /** Asks the controller, which answers with the request. */
  async #askPort(): Promise<void> {
    const { ws, chunks } = this.#port
    const request = modbusRequest(this.#asked++ % 0x10000)
    const before = chunks.length
    const answer = () => Buffer.concat(chunks.slice(before))
    ws.send(request)
    while (answer().length < request.length && this.#port.end === undefined) await sleep(answerPollMs)
    if (this.#port.end === undefined && !answer().equals(request)) this.#isPortRight = false
  }

  /** How long each waits for one answer now, in ms. Throws where one is refused. */
  async ask(): Promise<{ readonly visit: number; readonly call: number; readonly machine: number }> {
    const [visit, call, machine] = await Promise.all([
      timeOf(this.#visit.request('/')),
      timeOf(this.#call()),
      timeOf(this.#publish()),
    ])
    return { visit, call, machine }
  }

  #call(): Promise<unknown> {
    return this.#client.call(machines.listMachines, { version: '' })
  }

  #publish(): Promise<unknown> {
    return this.#machine.publishAsync('v1/devices/me/telemetry', JSON.stringify({ n: this.#sent++ }), {
      qos: 1,
    })
  }
}

async function timeOf(answer: Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await answer
  return performance.now() - startedAt
}
