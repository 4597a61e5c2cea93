import type { AgentPort } from '@busbar/link'
import type { Gateway } from '../edge/gateway.ts'
import type { Tunnel, Tunnels } from '../edge/tunnels/tunnel.ts'
import type { Bus, TagValueEvent } from '../kernel/bus/bus.ts'
import type { Database } from '../kernel/database/database.ts'
import type { LatestValues } from '../modules/telemetry/index.ts'
import type {
  EdgeLink,
  MachinePresence,
  OpenedStream,
  OwnedTag,
  TagWrite,
  TunnelLine,
  TunnelTarget,
  ValuesWatch,
} from './edge-link.ts'
import { listHeldElsewhere } from './held-elsewhere-store.ts'
import { answerMsMax, NotReachable, reachedWithin } from './not-reachable.ts'
import { requirePurpose } from './streams/stream-permit.ts'

export interface LocalEdgeLinkDeps {
  readonly db: Database
  /** This process among those on one database. */
  readonly nodeId: string
  readonly bus: Pick<Bus, 'subscribe'>
  readonly gateway: Pick<Gateway, 'presence' | 'clocks' | 'prepareWrite' | 'listRawMessages'>
  readonly tunnels: Pick<Tunnels, 'find' | 'onChange'>
  readonly telemetry: LatestValues
}

type Listener = (values: readonly TagValueEvent[]) => void

/**
 * The machines that this process holds: answers come from its memory. For machines of other nodes it has only the
 * database.
 */
export class LocalEdgeLink implements EdgeLink {
  readonly #deps: LocalEdgeLinkDeps
  readonly #watches = new Map<number, Set<Listener>>()
  #unsubscribe: (() => void) | undefined

  constructor(deps: LocalEdgeLinkDeps) {
    this.#deps = deps
  }

  async presence(
    machineIds: readonly number[],
    trx?: Database,
  ): Promise<ReadonlyMap<number, MachinePresence>> {
    const elsewhere = await this.#listElsewhere(machineIds, trx)
    return new Map(
      machineIds.map((id) => {
        // Asked now: it may have come while the database was read.
        const seen = this.#presenceOf(id)
        const row = seen.online ? undefined : elsewhere.get(id)
        return [id, row ? { ...seen, ...row } : seen]
      }),
    )
  }

  peekHere(machineIds: readonly number[]): Uint8Array {
    const { presence } = this.#deps.gateway
    return Uint8Array.from(machineIds, (id) => Number(presence.isOnline(id)))
  }

  latest(machineId: number, tagIds?: readonly number[]): Promise<readonly TagValueEvent[]> {
    return reachedWithin(answerMsMax.latest, this.#deps.telemetry.listLatest(machineId, tagIds))
  }

  latestOfEach(machineIds: readonly number[]): Promise<ReadonlyMap<number, readonly TagValueEvent[]>> {
    return reachedWithin(answerMsMax.latest, this.#deps.telemetry.listLatestOfEach(machineIds))
  }

  async latestHeld(tags: readonly OwnedTag[]): Promise<ReadonlyMap<number, TagValueEvent>> {
    const held = new Map<number, TagValueEvent>()
    for (const { machineId, tagId, ownedSince } of tags) {
      const value = this.#deps.telemetry.peekLatest(machineId, tagId, ownedSince)
      if (value) held.set(tagId, value)
    }
    return held
  }

  async watch(machineId: number, onValues: Listener): Promise<ValuesWatch> {
    this.#unsubscribe ??= this.#deps.bus.subscribe('values', (event) => {
      for (const listener of this.#watches.get(event.machineId) ?? []) listener(event.values)
    })
    // A separate function, so that a listener that watches twice is called twice.
    const listener: Listener = (values) => onValues(values)
    const listeners = this.#watches.get(machineId) ?? new Set()
    this.#watches.set(machineId, listeners.add(listener))
    return {
      end: () => {
        listeners.delete(listener)
        if (listeners.size === 0 && this.#watches.get(machineId) === listeners)
          this.#watches.delete(machineId)
        if (this.#watches.size > 0) return
        this.#unsubscribe?.()
        this.#unsubscribe = undefined
      },
    }
  }

  async prepareWrite(machineId: number, write: TagWrite): ReturnType<EdgeLink['prepareWrite']> {
    const prepared = this.#deps.gateway.prepareWrite(machineId, write)
    if (prepared === 'offline' && (await this.#listElsewhere([machineId])).size > 0) throw new NotReachable()
    if (typeof prepared === 'string') return prepared
    return { send: async (request) => prepared.send(request) }
  }

  rawMessages(machineId: number, limit: number): ReturnType<EdgeLink['rawMessages']> {
    return reachedWithin(answerMsMax.rawMessages, this.#deps.gateway.listRawMessages(machineId, limit))
  }

  async tunnel(machineId: number): Promise<TunnelLine | undefined> {
    const tunnel = this.#deps.tunnels.find(machineId)
    return tunnel && new LocalTunnelLine(tunnel)
  }

  onTunnelChange(listener: (machineId: number) => void): () => void {
    return this.#deps.tunnels.onChange((machineId) => listener(machineId))
  }

  /** Machines that are online at other nodes, or let go to them, as the database has them or is about to. */
  async #listElsewhere(machineIds: readonly number[], db: Database = this.#deps.db) {
    const { nodeId, gateway } = this.#deps
    const away = machineIds.filter((id) => !gateway.presence.isOnline(id))
    // Asked first: once it is written, the database has it.
    const lettingGo = away.flatMap((id) => {
      const connection = gateway.presence.lettingGo(id)
      const lastSeenAt = gateway.presence.lastSeenAt(id) ?? 0
      return connection ? [[id, { online: true, lastSeenAt, connection }] as const] : []
    })
    const rows = await reachedWithin(answerMsMax.presence, listHeldElsewhere(db, nodeId, away))
    return new Map([
      ...lettingGo,
      ...rows.map(
        ({ machine_id, protocol, address, started_at, last_seen_at }) =>
          [
            machine_id,
            {
              online: true,
              lastSeenAt: last_seen_at.getTime(),
              connection: { protocol, address, startedAt: started_at.getTime() },
            },
          ] as const,
      ),
    ])
  }

  #presenceOf(machineId: number): MachinePresence {
    const { presence, clocks } = this.#deps.gateway
    const isHere = presence.isOnline(machineId)
    return {
      online: isHere,
      isHere,
      lastSeenAt: presence.lastSeenAt(machineId),
      connection: presence.connection(machineId),
      clock: clocks.get(machineId),
    }
  }
}

/** A tunnel that ends in this process. */
class LocalTunnelLine implements TunnelLine {
  readonly #tunnel: Tunnel

  constructor(tunnel: Tunnel) {
    this.#tunnel = tunnel
  }

  get isOpen(): boolean {
    return !this.#tunnel.session.destroyed
  }

  async targets(): Promise<readonly TunnelTarget[]> {
    return (await reachedWithin(answerMsMax.targets, this.#tunnel.info())).targets
  }

  async ports(): Promise<readonly AgentPort[]> {
    return (await reachedWithin(answerMsMax.targets, this.#tunnel.info())).ports ?? []
  }

  portsNow(): Promise<readonly AgentPort[]> {
    return reachedWithin(answerMsMax.targets, this.#tunnel.portsNow(answerMsMax.targets))
  }

  async remote(): Promise<readonly 'drivers'[]> {
    return (await reachedWithin(answerMsMax.targets, this.#tunnel.info())).remote ?? []
  }

  ping(): Promise<number> {
    return this.#tunnel.ping(answerMsMax.ping)
  }

  async openStream(
    ...[headers, { endStream, purpose }]: Parameters<TunnelLine['openStream']>
  ): Promise<OpenedStream> {
    requirePurpose(headers, purpose)
    return this.#tunnel.request(headers, { endStream }) ?? (this.isOpen ? 'busy' : 'gone')
  }
}
