import type { Logger } from './logger.ts'
import type { Listening, Module, RequestedPorts } from './module.ts'
import type { Role } from './roles.ts'
import { drainGraceMs, drainMsMax, endsWithin, moduleStopMsMax, modulesStopMsMax } from './stop-budget.ts'

/** Starts and stops modules together. */
export class Lifecycle {
  readonly #modules: readonly Module[]
  readonly #logger: Logger
  #isReady = false

  constructor(modules: readonly Module[], logger: Logger) {
    this.#modules = modules
    this.#logger = logger
  }

  /** True between the end of a start and the beginning of a stop. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Starts the modules in order. Then they begin to listen in reverse order, so that the web port opens last. */
  async start(ports: RequestedPorts): Promise<Listening> {
    for (const module of this.#modules) await module.start?.()
    let listening: Listening = { webPort: ports.web, mqttPort: undefined, mqttsPort: undefined }
    for (const module of this.#modules.toReversed())
      listening = { ...listening, ...(await module.open?.(ports)) }
    this.#isReady = true
    return listening
  }

  /**
   * Hands over, within `ms`, the work that other nodes with `roles` take over. This process continues with the rest,
   * but is no longer ready, so that proxies send new visitors elsewhere.
   */
  async leave(roles: ReadonlySet<Role>, ms: number): Promise<void> {
    this.#isReady = false
    const leaving = this.#modules.filter((module) => module.roles.some((role) => roles.has(role)))
    await Promise.all(
      leaving.map((module) => this.#end(module, 'leave', ms + drainGraceMs, () => module.leave?.(ms, roles))),
    )
  }

  /**
   * Lets running work end, in all modules at the same time; then stops them in reverse, each even if others fail or
   * hang.
   */
  async stop(): Promise<void> {
    this.#isReady = false
    const drain = (module: Module) =>
      this.#end(module, 'drain', drainMsMax + drainGraceMs, () => module.drain?.(drainMsMax))
    await Promise.all(this.#modules.map(drain))
    const until = performance.now() + modulesStopMsMax
    for (const module of this.#modules.toReversed()) {
      const leftMs = Math.min(moduleStopMsMax, until - performance.now())
      await this.#end(module, 'stop', leftMs, () => module.stop?.())
    }
  }

  async #end(
    { name }: Module,
    step: 'leave' | 'drain' | 'stop',
    ms: number,
    work: () => unknown,
  ): Promise<void> {
    try {
      if (!(await endsWithin(ms, work))) this.#logger.warn({ module: name, step }, 'module.endLate')
    } catch (error) {
      this.#logger.error({ err: error, module: name, step }, 'module.endFailed')
    }
  }
}
