import type { Bus, TagValueEvent } from '../../kernel/bus/bus.ts'
import { type Cluster, NoAnswer } from '../../kernel/cluster/cluster.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Permits } from '../../kernel/nodes/permits.ts'
import type { Telemetry } from '../../modules/telemetry/index.ts'
import type { EdgeLink, MachinePresence, OwnedTag, TagWrite, TunnelLine, ValuesWatch } from '../edge-link.ts'
import { listHeldElsewhere } from '../held-elsewhere-store.ts'
import type { LocalEdgeLink } from '../local-edge-link.ts'
import { answerMsMax, NotReachable, reachedWithin } from '../not-reachable.ts'
import type { NodeStreams } from '../streams/node-streams.ts'
import { ClusterTunnels } from './cluster-tunnels.ts'
import {
  type AnswerTo,
  type AskedOf,
  type MachineQuestions,
  machineSubject,
  type NodeQuestions,
  nodeSubject,
  writeAct,
} from './questions.ts'
import { RemoteWatches } from './remote-watches.ts'

export interface ClusterEdgeLinkDeps {
  readonly db: Database
  readonly nodeId: string
  readonly bus: Bus
  readonly logger: Logger
  readonly cluster: Cluster
  readonly local: LocalEdgeLink
  readonly telemetry: Pick<Telemetry, 'listStored' | 'listUnwritten'>
  readonly streams: NodeStreams
  readonly permits: Pick<Permits, 'issue'>
}

/**
 * Sends questions about machines of other nodes to those nodes; questions about machines of this process, or of none,
 * are answered here.
 */
export class ClusterEdgeLink implements EdgeLink {
  readonly #deps: ClusterEdgeLinkDeps
  readonly #watches: RemoteWatches
  readonly #tunnels: ClusterTunnels

  constructor(deps: ClusterEdgeLinkDeps) {
    this.#deps = deps
    this.#watches = new RemoteWatches({
      ...deps,
      latestStored: async (machineId) => {
        const stored = await deps.telemetry.listStored([machineId])
        // It may have come here meanwhile.
        return this.#isHere(machineId) ? [] : (stored.get(machineId) ?? [])
      },
    })
    this.#tunnels = new ClusterTunnels(deps)
  }

  start(): void {
    this.#watches.start()
    this.#tunnels.start()
  }

  stop(): void {
    this.#watches.stop()
    this.#tunnels.stop()
  }

  async presence(
    machineIds: readonly number[],
    trx?: Database,
  ): Promise<ReadonlyMap<number, MachinePresence>> {
    return this.#deps.local.presence(machineIds, trx)
  }

  peekHere(machineIds: readonly number[]): Uint8Array {
    return this.#deps.local.peekHere(machineIds)
  }

  async latest(machineId: number, tagIds?: readonly number[]): Promise<readonly TagValueEvent[]> {
    const { local } = this.#deps
    if (this.#isHere(machineId)) return local.latest(machineId, tagIds)
    try {
      return await this.#ask(machineId, 'latest', { tagIds }, answerMsMax.latest)
    } catch (error) {
      if (await this.#isHeld(machineId, error)) throw new NotReachable()
      const wanted = tagIds && new Set(tagIds)
      const stored = await this.#listStored([machineId])
      return (stored.get(machineId) ?? []).filter(({ tagId }) => wanted?.has(tagId) ?? true)
    }
  }

  async latestOfEach(machineIds: readonly number[]): Promise<ReadonlyMap<number, readonly TagValueEvent[]>> {
    const here = machineIds.filter((id) => this.#isHere(id))
    const holders = await this.#listHolders(machineIds)
    const away = machineIds.filter((id) => !this.#isHere(id) && !holders.held.has(id))
    const [mine, stored, ...others] = await Promise.all([
      this.#deps.local.latestOfEach(here),
      this.#listStored(away),
      ...[...holders.nodes].map(([nodeId, ids]) =>
        this.#askNode(nodeId, 'latestOfEach', { machineIds: ids }, answerMsMax.latest),
      ),
    ])
    return new Map([...mine, ...stored, ...others.flat()])
  }

  async latestHeld(tags: readonly OwnedTag[]): Promise<ReadonlyMap<number, TagValueEvent>> {
    const { local, telemetry } = this.#deps
    const here = tags.filter(({ machineId }) => this.#isHere(machineId))
    const elsewhere = tags.filter(({ machineId }) => !this.#isHere(machineId))
    const holders = await this.#listHolders([...new Set(elsewhere.map(({ machineId }) => machineId))])
    const asked = [...holders.nodes].map(async ([nodeId, ids]) => {
      const ofNode = new Set(ids)
      const named = elsewhere
        .filter(({ machineId }) => ofNode.has(machineId))
        .map((tag) => ({ ...tag, ownedSince: tag.ownedSince?.getTime() ?? null }))
      // A node that does not answer may have been killed: its log has what it acknowledged.
      return this.#askNode(nodeId, 'latestHeld', { tags: named }, answerMsMax.held).catch(() =>
        reachedWithin(
          answerMsMax.latest,
          telemetry.listUnwritten(
            nodeId,
            named.map(({ tagId }) => tagId),
          ),
        ).catch(() => []),
      )
    })
    const [mine, ...others] = await Promise.all([local.latestHeld(here), ...asked])
    return new Map([...mine, ...others.flat().map((value) => [value.tagId, value] as const)])
  }

  async watch(machineId: number, onValues: (values: readonly TagValueEvent[]) => void): Promise<ValuesWatch> {
    // Watches both: the machine may connect here or to another node at any time.
    const [here, elsewhere] = await Promise.all([
      this.#deps.local.watch(machineId, onValues),
      this.#watches.watch(machineId, onValues),
    ])
    return {
      end() {
        here.end()
        elsewhere.end()
      },
    }
  }

  async prepareWrite(
    machineId: number,
    write: TagWrite,
    userId: number,
  ): ReturnType<EdgeLink['prepareWrite']> {
    const { local, permits } = this.#deps
    if (this.#isHere(machineId)) return local.prepareWrite(machineId, write)
    let answer: AnswerTo<MachineQuestions, 'prepareWrite'>
    try {
      answer = await this.#ask(machineId, 'prepareWrite', { write }, answerMsMax.write)
    } catch (error) {
      const { online } = await this.#whereIs(machineId, error)
      if (!online.has(machineId)) return 'offline'
      throw new NotReachable()
    }
    if (typeof answer === 'string') return answer
    const { holder } = answer
    return {
      send: async (request) => {
        const order = { write, request, userId }
        const permit = await permits.issue(holder, writeAct(machineId, order))
        // That node lives no more.
        if (permit === undefined) return false
        try {
          return await this.#ask(machineId, 'write', { order, permit }, answerMsMax.write)
        } catch (error) {
          // No process holds the machine any more, so the write was not sent.
          if (error instanceof NoAnswer && error.why === 'nobody') return false
          throw new NotReachable()
        }
      },
    }
  }

  async rawMessages(machineId: number, limit: number): ReturnType<EdgeLink['rawMessages']> {
    const { local } = this.#deps
    if (this.#isHere(machineId)) return local.rawMessages(machineId, limit)
    try {
      return await this.#ask(machineId, 'rawMessages', { limit }, answerMsMax.rawMessages)
    } catch (error) {
      if (await this.#isHeld(machineId, error)) throw new NotReachable()
      return local.rawMessages(machineId, limit)
    }
  }

  async tunnel(machineId: number): Promise<TunnelLine | undefined> {
    return (await this.#deps.local.tunnel(machineId)) ?? this.#tunnels.find(machineId)
  }

  onTunnelChange(listener: (machineId: number) => void): () => void {
    // Includes this process: the holder publishes the changes of its own tunnels.
    return this.#deps.bus.subscribe('tunnels', ({ machineId }) => listener(machineId))
  }

  #isHere(machineId: number): boolean {
    return this.#deps.local.peekHere([machineId])[0] === 1
  }

  async #ask<Name extends keyof MachineQuestions>(
    machineId: number,
    name: Name,
    asked: AskedOf<MachineQuestions, Name>,
    deadlineMs: number,
  ): Promise<AnswerTo<MachineQuestions, Name>> {
    const answer = await this.#deps.cluster.ask(machineSubject(machineId), { name, asked }, deadlineMs)
    return answer as AnswerTo<MachineQuestions, Name>
  }

  /** @throws NotReachable */
  async #askNode<Name extends keyof NodeQuestions>(
    nodeId: string,
    name: Name,
    asked: AskedOf<NodeQuestions, Name>,
    deadlineMs: number,
  ): Promise<AnswerTo<NodeQuestions, Name>> {
    try {
      const answer = await this.#deps.cluster.ask(nodeSubject(nodeId), { name, asked }, deadlineMs)
      return answer as AnswerTo<NodeQuestions, Name>
    } catch {
      throw new NotReachable()
    }
  }

  /** Whether a machine whose holder gave no answer may be online at a node that cannot be reached. */
  async #isHeld(machineId: number, error: unknown): Promise<boolean> {
    return (await this.#whereIs(machineId, error)).held.has(machineId)
  }

  /** The state in the database, after the holder gave no answer. */
  async #whereIs(machineId: number, error: unknown) {
    if (!(error instanceof NoAnswer)) throw error
    return this.#listHolders([machineId])
  }

  /**
   * The other nodes that hold machines, by the database; machines that are moving from one node to another
   * are online, but no node holds them.
   */
  async #listHolders(machineIds: readonly number[]) {
    const { db, nodeId } = this.#deps
    const elsewhere = machineIds.filter((id) => !this.#isHere(id))
    const rows = await reachedWithin(answerMsMax.presence, listHeldElsewhere(db, nodeId, elsewhere))
    const nodes = new Map<string, number[]>()
    const held = rows.filter(({ expected_until }) => expected_until === null)
    for (const { node_id: holder, machine_id: machineId } of held) {
      if (holder === null) continue
      const ids = nodes.get(holder) ?? []
      ids.push(machineId)
      nodes.set(holder, ids)
    }
    const machinesOf = (some: typeof rows) => new Set(some.map(({ machine_id }) => machine_id))
    return { nodes, held: machinesOf(held), online: machinesOf(rows) }
  }

  #listStored(machineIds: readonly number[]) {
    return reachedWithin(answerMsMax.latest, this.#deps.telemetry.listStored(machineIds))
  }
}
