import { setTimeout as sleep } from 'node:timers/promises'
import { plainTopic } from '@busbar/link'
import { RawClient } from '../gateway/raw-client.ts'

const reconnectMs = 20

/** A plain JSON machine with one set-point, which connects again when its connection breaks. */
export class WritableMachine {
  /** The set-points that it got, in their order. */
  readonly taken: number[] = []
  readonly tag: string
  readonly #machine: { readonly code: string; readonly secret: string }
  #client: RawClient | undefined
  #port: number
  #isEnded = false

  constructor(machine: { readonly code: string; readonly secret: string }, tag: string, port: number) {
    this.#machine = machine
    this.tag = tag
    this.#port = port
    void this.#run()
  }

  /** Where it connects the next time. */
  moveTo(port: number): void {
    this.#port = port
  }

  end(): void {
    this.#isEnded = true
    this.#client?.destroy()
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      await this.#serve().catch(() => undefined)
      this.#client?.destroy()
      await sleep(reconnectMs)
    }
  }

  /** Rejects when the connection is over. */
  async #serve(): Promise<never> {
    const client = await RawClient.login(this.#port, this.#machine)
    this.#client = client
    const filter = { topic: `${plainTopic.rpcRequestPrefix}+`, qos: 0 } as const
    client.send({ cmd: 'subscribe', messageId: 1, subscriptions: [filter] })
    await client.next('suback')
    for (let messageId = 2; ; messageId++) {
      client.publish(plainTopic.telemetry, JSON.stringify({ [this.tag]: this.taken.at(-1) ?? 0 }), {
        messageId,
      })
      const { payload } = await client.next('publish')
      this.taken.push(
        (JSON.parse(payload.toString()) as { params: Record<string, number> }).params[this.tag] ?? 0,
      )
    }
  }
}
