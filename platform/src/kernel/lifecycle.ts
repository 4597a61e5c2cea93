import type { Listening, Module, WishedPorts } from './module.ts'

/** Requests from before a stop are answered within this time; after it they are cut. */
const drainMsMax = 3_000

/** Starts and stops modules together. */
export class Lifecycle {
  readonly #modules: readonly Module[]
  #isReady = false

  constructor(modules: readonly Module[]) {
    this.#modules = modules
  }

  /** True between the end of a start and the beginning of a stop. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Starts the modules in their order. Then those that listen do, the last one first, so that the web port is the last. */
  async start(ports: WishedPorts): Promise<Listening> {
    for (const module of this.#modules) await module.start?.()
    let listening: Listening = { webPort: ports.web, mqttPort: undefined, mqttsPort: undefined }
    for (const module of this.#modules.toReversed())
      listening = { ...listening, ...(await module.open?.(ports)) }
    this.#isReady = true
    return listening
  }

  /** Lets what was begun end, in all modules at the same time; then stops them in reverse. */
  async stop(): Promise<void> {
    this.#isReady = false
    await Promise.all(this.#modules.map((module) => module.drain?.(drainMsMax)))
    for (const module of this.#modules.toReversed()) await module.stop?.()
  }
}
