import { Scene } from '@busbar/contract/push'
import type { Kysely, Transaction } from 'kysely'
import type { EdgeLink } from '../edge-link/edge-link.ts'
import type { Bus } from '../kernel/bus/bus.ts'
import { withTransaction } from '../kernel/database/database.ts'
import type { DB } from '../kernel/database/schema.gen.ts'
import { PublishQueue } from '../kernel/events/publish-queue.ts'
import { createUserEvents } from '../kernel/events/user-events.ts'
import type { LiveFollower } from '../kernel/facts/follower.ts'
import type { Logger } from '../kernel/logger.ts'
import type { RightsWatch } from '../kernel/rights/rights-watch.ts'
import type { Access, AccessPort } from '../modules/access/index.ts'
import {
  type AlarmKind,
  alarmKinds,
  countOpenAlarms,
  type OpenAlarms,
  type ShelveKind,
  shelveKinds,
} from '../modules/alarms/index.ts'
import { encodeMachineState } from './frames.ts'
import { type Cause, createUnpublished, takeUnpublished } from './machine-states-store.ts'

/**
 * Time for which changes of alarms are gathered, in ms: people get an alarm by its own frame, which then does not share the
 * processor with the states of lists.
 */
const alarmsGatherMs = 100
const areAlarms: ReadonlySet<string> = new Set(alarmKinds)
const controlKinds = ['visit.ended', 'control.taken', 'control.freed'] as const

export interface MachineStatesDeps {
  readonly db: Kysely<DB>
  readonly bus: Bus
  readonly logger: Logger
  readonly access: Pick<AccessPort, 'on'>
  readonly rights: RightsWatch
  readonly link: Pick<EdgeLink, 'presence'>
  now(): number
}

/**
 * Notifies everybody with a machine in their list when it comes, goes, or its open alarms or rights change. Changes of
 * one machine during a write are published once, with the newest state. Every process gets a change, and one of them
 * publishes it.
 */
export class MachineStates {
  readonly #deps: MachineStatesDeps
  readonly #queue: PublishQueue
  /** The reasons to publish each waiting machine. */
  readonly #causes = new Map<number, Cause[]>()
  readonly #subscriptions: (() => void)[] = []
  /** Changes of alarms, and of machines that another process was publishing, until they are published together. */
  #gathered: Cause[] = []
  #gathering: NodeJS.Timeout | undefined

  constructor(deps: MachineStatesDeps) {
    this.#deps = deps
    this.#queue = new PublishQueue({ logger: deps.logger, publish: (machineIds) => this.#tell(machineIds) })
  }

  start(): void {
    this.#subscriptions.push(
      // Only the process that holds the machine gets it.
      this.#deps.bus.subscribe('presence', ({ machineId }) => this.#enqueue({ machineId, xid: null })),
      this.#deps.rights.subscribe({
        changed: ({ machineId, xid }) => {
          if (machineId !== null) this.#enqueue({ machineId, xid })
        },
        // There are no open streams to cut: the receivers are looked up at each change.
        blind: () => {},
      }),
    )
  }

  /** Follows the fields of lists and panes: alarms, their shelving, and whether a machine is under control. */
  get follower(): LiveFollower<AlarmKind | ShelveKind | (typeof controlKinds)[number]> {
    return {
      name: 'machineStates.changes',
      mode: 'live',
      kinds: [...alarmKinds, ...shelveKinds, ...controlKinds],
      follow: (facts) => {
        for (const { kind, machineId, xid = null } of facts) {
          if (areAlarms.has(kind)) this.#gather({ machineId, xid })
          else this.#enqueue({ machineId, xid })
        }
      },
    }
  }

  /** Number of machines whose state is not published yet. */
  get waiting(): number {
    return this.#queue.waiting + this.#gathered.length
  }

  /** Ends the subscription and waits for running writes. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    await this.#queue.stop()
    clearTimeout(this.#gathering)
  }

  #gather(cause: Cause): void {
    this.#gathered.push(cause)
    this.#gathering ??= setTimeout(() => {
      const causes = this.#gathered
      this.#gathered = []
      this.#gathering = undefined
      this.#enqueue(...causes)
    }, alarmsGatherMs)
  }

  #enqueue(...causes: readonly Cause[]): void {
    this.#keep(causes)
    this.#queue.enqueue(...causes.map(({ machineId }) => machineId))
  }

  async #tell(machineIds: readonly number[]): Promise<void> {
    const causes = machineIds.flatMap((machineId) => this.#causes.get(machineId) ?? [])
    for (const machineId of machineIds) this.#causes.delete(machineId)
    try {
      await createUnpublished(this.#deps.db, machineIds)
      const busy = await withTransaction(this.#deps.db, async (trx) => {
        const unpublished = await takeUnpublished(trx, causes)
        if (unpublished.taken.length > 0) await this.#write(trx, unpublished.taken)
        return new Set(unpublished.busy)
      })
      // The process that publishes them may not have seen what this one has.
      for (const cause of causes) if (busy.has(cause.machineId)) this.#gather(cause)
    } catch (error) {
      this.#keep(causes)
      throw error
    }
  }

  #keep(causes: readonly Cause[]): void {
    for (const cause of causes)
      this.#causes.set(cause.machineId, [...(this.#causes.get(cause.machineId) ?? []), cause])
  }

  async #write(trx: Transaction<DB>, machineIds: readonly number[]): Promise<void> {
    const { access, link } = this.#deps
    const at = this.#deps.now()
    const [audience, alarms] = await Promise.all([
      access.on(trx).listAudience(machineIds, at),
      countOpenAlarms(trx, machineIds, new Date(at)),
    ])
    // Last: a later change is published again.
    const presence = await link.presence(machineIds, trx)
    const states = audience.map(({ userId, machineId, access: right }) => ({
      userId,
      body: encodeState(machineId, right, {
        online: presence.get(machineId)?.online === true,
        alarms: alarms.get(machineId),
        at,
      }),
    }))
    await createUserEvents(trx, Scene.MACHINE_STATE, new Date(at), states)
  }
}

function encodeState(
  machineId: number,
  right: Access,
  state: { readonly online: boolean; readonly alarms: OpenAlarms | undefined; readonly at: number },
): Uint8Array {
  // An ordinary user sees that it is there, not how it is.
  const isHolder = right.rights.has('holder')
  return encodeMachineState({
    machineId: String(machineId),
    online: state.online,
    cloudService: !isHolder || right.rights.has('visitor+'),
    at: String(state.at),
    openAlarms: isHolder ? (state.alarms?.open ?? 0) : 0,
    worstAlarm: isHolder ? (state.alarms?.worst ?? '') : '',
    limitAuthority: right.level,
    role: right.role,
    readOnly: right.readOnly,
  })
}
