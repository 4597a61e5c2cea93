import type { Gateway } from '../../edge/gateway.ts'
import type { Tunnel, Tunnels } from '../../edge/tunnels/tunnel.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { Cluster, Unsubscribe } from '../../kernel/cluster/cluster.ts'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Permits } from '../../kernel/nodes/permits.ts'
import type { LocalEdgeLink } from '../local-edge-link.ts'
import { answerMsMax } from '../not-reachable.ts'
import {
  type Answers,
  answerBy,
  leaseMs,
  type MachineQuestions,
  machineSubject,
  type NodeQuestions,
  nodeSubject,
  renewMs,
  type TunnelQuestions,
  tunnelSubject,
  valuesSubject,
  writeAct,
} from './questions.ts'

export interface HolderDeps {
  readonly cluster: Cluster
  readonly bus: Bus
  readonly logger: Logger
  readonly local: LocalEdgeLink
  readonly gateway: Pick<Gateway, 'presence' | 'prepareWrite'>
  readonly tunnels: Pick<Tunnels, 'find' | 'onChange'>
  readonly nodeId: string
  readonly permits: Pick<Permits, 'take'>
  /** The address at which other nodes open streams of tunnels that end here; undefined without one. */
  readonly streamAddress: () => string | undefined
}

/** Answers other processes about the machines and the tunnels that this one holds. */
export class Holder {
  readonly #deps: HolderDeps
  /** The machines that are online here. */
  readonly #machines = new Map<number, Unsubscribe>()
  readonly #tunnels = new Map<number, Unsubscribe>()
  /** Until when the values of machines are published (performance.now). */
  readonly #leases = new Map<number, number>()
  readonly #subscriptions: Unsubscribe[] = []
  #sweep: NodeJS.Timeout | undefined

  constructor(deps: HolderDeps) {
    this.#deps = deps
  }

  start(): void {
    const { cluster, bus, tunnels, nodeId } = this.#deps
    this.#subscriptions.push(
      cluster.answer(nodeSubject(nodeId), (question) => answerBy(this.#nodeAnswers, question)),
      bus.subscribe('presence', ({ machineId }) => this.#followMachine(machineId)),
      bus.subscribe('values', ({ machineId, values }) => {
        if (this.#leases.has(machineId)) cluster.publish(valuesSubject(machineId), values)
      }),
      tunnels.onChange((machineId) => this.#followTunnel(machineId)),
    )
    this.#sweep = every(renewMs, () => this.#endLeases(), this.#deps.logger)
  }

  stop(): void {
    clearInterval(this.#sweep)
    for (const end of [...this.#subscriptions, ...this.#machines.values(), ...this.#tunnels.values()]) end()
    this.#machines.clear()
    this.#tunnels.clear()
    this.#leases.clear()
  }

  /** Machines whose values other processes watch. */
  get leased(): number {
    return this.#leases.size
  }

  #followMachine(machineId: number): void {
    const { cluster, gateway } = this.#deps
    const isHere = gateway.presence.isOnline(machineId)
    const end = this.#machines.get(machineId)
    if (isHere && !end) {
      const answers = this.#machineAnswers(machineId)
      this.#machines.set(
        machineId,
        cluster.answer(machineSubject(machineId), (question) => answerBy(answers, question)),
      )
    } else if (!isHere && end) {
      end()
      this.#machines.delete(machineId)
    }
  }

  #followTunnel(machineId: number): void {
    const { cluster, tunnels, bus } = this.#deps
    const isHere = tunnels.find(machineId) !== undefined
    const end = this.#tunnels.get(machineId)
    if (isHere && !end) {
      const answers = this.#tunnelAnswers(machineId)
      this.#tunnels.set(
        machineId,
        cluster.answer(tunnelSubject(machineId), (question) => answerBy(answers, question)),
      )
    } else if (!isHere && end) {
      end()
      this.#tunnels.delete(machineId)
    }
    bus.publish('tunnels', { machineId })
  }

  #machineAnswers(machineId: number): Answers<MachineQuestions> {
    const { local, gateway, permits, nodeId } = this.#deps
    return {
      latest: ({ tagIds }) => local.latest(machineId, tagIds),
      watch: ({ wantsValues = true }) => {
        this.#leases.set(machineId, performance.now() + leaseMs)
        return wantsValues ? local.latest(machineId) : []
      },
      prepareWrite({ write }) {
        const prepared = gateway.prepareWrite(machineId, write)
        return typeof prepared === 'string' ? prepared : { holder: nodeId }
      },
      async write({ order, permit }) {
        if (await permits.take(permit, writeAct(machineId, order), 'api')) return false
        const prepared = gateway.prepareWrite(machineId, order.write)
        return typeof prepared !== 'string' && prepared.send(order.request)
      },
      rawMessages: ({ limit }) => local.rawMessages(machineId, limit),
    }
  }

  #tunnelAnswers(machineId: number): Answers<TunnelQuestions> {
    const { tunnels, nodeId, streamAddress } = this.#deps
    const named = (openedAt: number): Tunnel => {
      const tunnel = tunnels.find(machineId)
      if (tunnel?.openedAt !== openedAt) throw new Error('another tunnel took its place')
      return tunnel
    }
    return {
      find() {
        const tunnel = tunnels.find(machineId)
        const address = streamAddress()
        return tunnel && address !== undefined ? { openedAt: tunnel.openedAt, nodeId, address } : null
      },
      targets: async ({ openedAt }) => (await named(openedAt).info()).targets,
      ports: async ({ openedAt }) => (await named(openedAt).info()).ports ?? [],
      portsNow: ({ openedAt }) => named(openedAt).portsNow(answerMsMax.targets),
      remote: async ({ openedAt }) => (await named(openedAt).info()).remote ?? [],
      ping: ({ openedAt }) => named(openedAt).ping(answerMsMax.ping),
    }
  }

  get #nodeAnswers(): Answers<NodeQuestions> {
    const { local, gateway } = this.#deps
    const here = (machineIds: readonly number[]) => machineIds.filter((id) => gateway.presence.isOnline(id))
    return {
      latestOfEach: async ({ machineIds }) => [...(await local.latestOfEach(here(machineIds)))],
      async latestHeld({ tags }) {
        const owned = tags.map(({ machineId, tagId, ownedSince }) => ({
          machineId,
          tagId,
          ownedSince: ownedSince === null ? null : new Date(ownedSince),
        }))
        return [...(await local.latestHeld(owned)).values()]
      },
      presence: async ({ machineIds }) => [...(await local.presence(here(machineIds)))],
    }
  }

  #endLeases(): void {
    const now = performance.now()
    for (const [machineId, until] of this.#leases) if (until < now) this.#leases.delete(machineId)
  }
}
