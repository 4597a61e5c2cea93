import type { OutgoingHttpHeaders } from 'node:http2'
import type { AgentPort } from '@busbar/link'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type Cluster, NoAnswer, type Unsubscribe } from '../../kernel/cluster/cluster.ts'
import type { OpenedStream, TunnelLine, TunnelTarget } from '../edge-link.ts'
import { answerMsMax, NotReachable } from '../not-reachable.ts'
import type { NodeStreams } from '../streams/node-streams.ts'
import { requirePurpose } from '../streams/stream-permit.ts'
import { type AnswerTo, type AskedOf, type TunnelQuestions, tunnelSubject } from './questions.ts'

/** A cached entry is looked up again after this time, in case the message about its change was lost. */
const knownMs = 10_000

interface Deps {
  readonly cluster: Cluster
  readonly bus: Bus
  readonly streams: NodeStreams
}

interface Known {
  readonly line: RemoteTunnelLine
  readonly until: number
}

/** The tunnels of machines that end at other nodes. */
export class ClusterTunnels {
  readonly #deps: Deps
  readonly #known = new Map<number, Known>()
  readonly #finding = new Map<number, Promise<RemoteTunnelLine | undefined>>()
  #unsubscribe: Unsubscribe | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    this.#unsubscribe = this.#deps.bus.subscribe('tunnels', ({ machineId }) => this.#forget(machineId))
  }

  stop(): void {
    this.#unsubscribe?.()
    for (const machineId of [...this.#known.keys()]) this.#forget(machineId)
  }

  /**
   * The tunnel of a machine at another node. Each request of a page needs it, so the result is cached for a while.
   * @throws NotReachable
   */
  async find(machineId: number): Promise<TunnelLine | undefined> {
    const known = this.#known.get(machineId)
    if (known && known.until > performance.now()) return known.line
    const finding = this.#finding.get(machineId) ?? this.#find(machineId)
    this.#finding.set(machineId, finding)
    try {
      return await finding
    } finally {
      if (this.#finding.get(machineId) === finding) this.#finding.delete(machineId)
    }
  }

  async #find(machineId: number): Promise<RemoteTunnelLine | undefined> {
    const { cluster, streams } = this.#deps
    const asking = { cluster, machineId }
    let found: AnswerTo<TunnelQuestions, 'find'>
    try {
      found = await ask(asking, 'find', {}, answerMsMax.tunnel)
    } catch (error) {
      if (error instanceof NoAnswer && error.why === 'nobody') found = null
      else throw new NotReachable()
    }
    if (!found) {
      this.#forget(machineId)
      return undefined
    }
    const { openedAt, address, nodeId } = found
    const before = this.#known.get(machineId)?.line
    const isSame =
      before?.isOpen && before.openedAt === openedAt && before.address === address && before.nodeId === nodeId
    if (!isSame) this.#forget(machineId)
    const line = isSame ? before : new RemoteTunnelLine({ ...asking, streams, openedAt, address, nodeId })
    this.#known.set(machineId, { line, until: performance.now() + knownMs })
    return line
  }

  #forget(machineId: number): void {
    this.#finding.delete(machineId)
    this.#known.get(machineId)?.line.end()
    this.#known.delete(machineId)
  }
}

interface Asking {
  readonly cluster: Cluster
  readonly machineId: number
}

async function ask<Name extends keyof TunnelQuestions>(
  { cluster, machineId }: Asking,
  name: Name,
  asked: AskedOf<TunnelQuestions, Name>,
  deadlineMs: number,
): Promise<AnswerTo<TunnelQuestions, Name>> {
  const answer = await cluster.ask(tunnelSubject(machineId), { name, asked }, deadlineMs)
  return answer as AnswerTo<TunnelQuestions, Name>
}

/** A tunnel that ends at another node. */
class RemoteTunnelLine implements TunnelLine {
  readonly openedAt: number
  readonly address: string
  readonly nodeId: string
  readonly #asking: Asking
  readonly #streams: NodeStreams
  #isOpen = true

  constructor(options: Asking & { streams: NodeStreams; openedAt: number; address: string; nodeId: string }) {
    const { cluster, machineId } = options
    this.#asking = { cluster, machineId }
    this.#streams = options.streams
    this.openedAt = options.openedAt
    this.address = options.address
    this.nodeId = options.nodeId
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Marks the tunnel as ended. */
  end(): void {
    this.#isOpen = false
  }

  targets(): Promise<readonly TunnelTarget[]> {
    return reachable(ask(this.#asking, 'targets', { openedAt: this.openedAt }, answerMsMax.targets))
  }

  ports(): Promise<readonly AgentPort[]> {
    return reachable(ask(this.#asking, 'ports', { openedAt: this.openedAt }, answerMsMax.targets))
  }

  portsNow(): Promise<readonly AgentPort[]> {
    return reachable(ask(this.#asking, 'portsNow', { openedAt: this.openedAt }, answerMsMax.targets))
  }

  remote(): Promise<readonly 'drivers'[]> {
    return reachable(ask(this.#asking, 'remote', { openedAt: this.openedAt }, answerMsMax.targets))
  }

  ping(): Promise<number> {
    return reachable(ask(this.#asking, 'ping', { openedAt: this.openedAt }, answerMsMax.ping))
  }

  async openStream(
    headers: OutgoingHttpHeaders,
    { endStream, purpose }: Parameters<TunnelLine['openStream']>[1],
  ): Promise<OpenedStream> {
    requirePurpose(headers, purpose)
    if (!this.#isOpen) return 'gone'
    const { openedAt, address, nodeId } = this
    const tunnel = { machineId: this.#asking.machineId, openedAt, address, nodeId }
    return this.#streams.open(tunnel, headers, { endStream })
  }
}

async function reachable<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch {
    throw new NotReachable()
  }
}
