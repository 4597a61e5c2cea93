import { Scene } from '@busbar/contract/push'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { encodeVisitSession } from '../../kernel/events/event-bodies.ts'
import { PublishQueue } from '../../kernel/events/publish-queue.ts'
import { createUserEvents } from '../../kernel/events/user-events.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { AccessPort, MachineKey } from '../access/index.ts'
import { BoundedMap } from './bounded-map.ts'
import { nearRelease } from './control-release-store.ts'
import { listVisitStates, listVisitsOfMachines, type VisitState } from './visit-events-store.ts'

const machinesMax = 10_000

export interface VisitEventsDeps {
  readonly db: Kysely<DB>
  readonly logger: Logger
  readonly access: Pick<AccessPort, 'listKeysOfEach'>
  /** When it ends if nothing happens; 0 while attended. */
  idleAtOf(visit: { visitId: number; userId: number; activeAt: number }): number
  now(): number
}

/**
 * Publishes visits to people (scene 9): the visitor, the keys of the machine, and the present holder of a requested
 * controller. A visitor sees who is in control, but not other people's visits.
 */
export class VisitEvents {
  readonly #deps: VisitEventsDeps
  readonly #visits: PublishQueue
  readonly #machines: PublishQueue
  /** People who get the result of a visit's change beside those who see its state. */
  readonly #alsoTo = new Map<number, Set<number>>()
  /** The last controller published to pages, by machine. */
  readonly #holders = new BoundedMap<number, string>(machinesMax)

  constructor(deps: VisitEventsDeps) {
    this.#deps = deps
    const { logger } = deps
    this.#visits = new PublishQueue({ logger, publish: (visitIds) => this.#tell(visitIds) })
    this.#machines = new PublishQueue({ logger, publish: (machineIds) => this.#spread(machineIds) })
  }

  /** A visit changed; `alsoTo` is a person who got its request for control and must get the result. */
  enqueueVisit(visitId: number, alsoTo?: number): void {
    if (alsoTo !== undefined) this.#publishTo(visitId, alsoTo)
    this.#visits.enqueue(visitId)
  }

  /** A machine's controller changed hands: every visit of it shows that. */
  enqueueMachine(machineId: number): void {
    this.#holders.delete(machineId)
    this.#machines.enqueue(machineId)
  }

  /** A write may have taken a machine's controller: published if the holder has changed since the last time. */
  enqueueWrite(machineId: number): void {
    this.#machines.enqueue(machineId)
  }

  async stop(): Promise<void> {
    await this.#machines.stop()
    await this.#visits.stop()
  }

  async #spread(machineIds: readonly number[]): Promise<void> {
    for (const machine of await listVisitsOfMachines(this.#deps.db, machineIds)) {
      if (this.#holders.get(machine.machine_id) === machine.holder) continue
      this.#holders.set(machine.machine_id, machine.holder)
      for (const visitId of machine.visit_ids) this.enqueueVisit(visitId)
    }
  }

  async #tell(visitIds: readonly number[]): Promise<void> {
    const at = this.#deps.now()
    // Taken first: people added during the write are notified the next time.
    const alsoTo = visitIds.map((visitId) => [visitId, this.#alsoTo.get(visitId)] as const)
    for (const visitId of visitIds) this.#alsoTo.delete(visitId)
    await this.#write(visitIds, new Map(alsoTo), at).catch((error) => {
      for (const [visitId, people] of alsoTo)
        for (const userId of people ?? []) this.#publishTo(visitId, userId)
      throw error
    })
  }

  async #write(
    visitIds: readonly number[],
    alsoTo: ReadonlyMap<number, ReadonlySet<number> | undefined>,
    at: number,
  ): Promise<void> {
    const { db, access } = this.#deps
    const states = await listVisitStates(db, visitIds, new Date(at))
    const machineIds = states.flatMap((state) => (state.is_told_to_keys ? [state.machine_id] : []))
    const keys = await access.listKeysOfEach([...new Set(machineIds)], at)
    const keysOf = (state: VisitState) => (state.is_told_to_keys ? (keys.get(state.machine_id) ?? []) : [])
    const events = states.flatMap((state) =>
      [...audienceOf(state, keysOf(state), alsoTo.get(state.id))].map((userId) => ({
        userId,
        body: this.#encode(state, userId),
      })),
    )
    await createUserEvents(db, Scene.VISIT_SESSION, new Date(at), events)
  }

  #publishTo(visitId: number, userId: number): void {
    this.#alsoTo.set(visitId, (this.#alsoTo.get(visitId) ?? new Set()).add(userId))
  }

  #encode(state: VisitState, userId: number): Uint8Array {
    const controls = state.controller_visit_id === state.id
    const idleAt = state.ended_at
      ? 0
      : this.#deps.idleAtOf({
          visitId: state.id,
          userId: state.user_id,
          activeAt: state.active_at.getTime(),
        })
    return encodeVisitSession({
      sessionId: String(state.id),
      machineId: String(state.machine_id),
      controller: state.controller_name ?? '',
      mode: controls || (state.ended_at && state.was_rw) ? 'rw' : 'ro',
      until: String((state.ended_at ?? state.ends_at).getTime()),
      ended: state.ended_at !== null,
      reason: state.end_reason ?? '',
      userId: String(state.user_id),
      user: state.user_name,
      controls,
      asks: state.asks,
      idleAt: String(idleAt),
      target: state.target,
      controllerSessionId: String(state.controller_visit_id ?? 0),
      controllerMe: state.controller_user_id === userId,
      releaseAt: String(nearRelease(state.release_at, this.#deps.now()) ?? 0),
    })
  }
}

function audienceOf(
  state: VisitState,
  keys: readonly MachineKey[],
  also: Iterable<number> = [],
): Set<number> {
  const people = new Set([state.user_id, ...keys.map(({ userId }) => userId), ...also])
  if (state.asks && state.controller_user_id !== null) people.add(state.controller_user_id)
  return people
}
