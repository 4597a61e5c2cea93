import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { plainTopic, portHeader } from '@busbar/link'
import { openTestTunnel, type TestMachine, type TestPlatform, type TestTunnel } from '@busbar/testkit'
import { RawClient } from '../gateway/raw-client.ts'
import { port } from '../ports/port-agent.ts'

const valueMs = 50
/** A port that visitors may look at. */
export const lookedAtPort = 'shown'

/** A machine with its tunnel and its telemetry, which sends a growing number every 50 ms. */
export class Station {
  readonly machine: TestMachine
  /** The last value it sent. */
  told = 0
  /** Paths that reached its page without a waiting test: each answered with `page`. */
  readonly asked: string[] = []
  tunnelState = 'open'
  readonly #arrivals = new Map<string, (stream: ServerHttp2Stream) => void>()
  readonly #timer: NodeJS.Timeout
  /** The streams that were open from the beginning. */
  readonly #first: RawClient
  #mqtt: RawClient
  #tunnel: TestTunnel | undefined

  private constructor(machine: TestMachine, mqtt: RawClient) {
    this.machine = machine
    this.#first = mqtt
    this.#mqtt = mqtt
    this.#timer = setInterval(() => this.#tell(), valueMs)
  }

  static async open(site: TestPlatform, machine: TestMachine): Promise<Station> {
    const station = new Station(machine, await RawClient.login(site.mqttPort, machine))
    const targets = ['page', 'hmi'].map((name) => ({ name, readOnly: true }))
    const tunnel = await openTestTunnel(
      site,
      machine,
      (stream, headers) => station.#answer(stream, headers),
      { targets, ports: [port(lookedAtPort, { kind: 'modbus', look: 'visitors' })] },
    )
    station.#tunnel = tunnel
    void tunnel.closed.then((code) => {
      station.tunnelState = `closed with ${code}`
    })
    return station
  }

  /** The machine's end of the next request for a path, or of a stream to a port. */
  arrival(path: string): Promise<ServerHttp2Stream> {
    return new Promise((resolve) => this.#arrivals.set(path, resolve))
  }

  /** Signs in to telemetry anew; the state stays that of the first connection. */
  async signIn(site: TestPlatform, secret: string): Promise<void> {
    this.#mqtt = await RawClient.login(site.mqttPort, { code: this.machine.code, secret })
  }

  get mqttState(): string {
    return this.#first.isClosed ? 'closed' : 'open'
  }

  close(): void {
    clearInterval(this.#timer)
    for (const mqtt of [this.#first, this.#mqtt]) mqtt.destroy()
    this.#tunnel?.close()
  }

  #tell(): void {
    if (this.#mqtt.isClosed) return
    this.told++
    this.#mqtt.publish(plainTopic.telemetry, JSON.stringify({ count: this.told }), { messageId: this.told })
  }

  #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const path = String(headers[portHeader.stream] ?? headers[':path'])
    const arrived = this.#arrivals.get(path)
    this.#arrivals.delete(path)
    if (arrived) arrived(stream)
    else {
      this.asked.push(path)
      // Cut while it was on its way.
      if (stream.destroyed) return
      stream.respond({ ':status': 200 })
      stream.end('page')
    }
  }
}
