import { randomUUID } from 'node:crypto'
import type {
  ProjectDoor,
  ProjectLogin,
  ProjectLoginRefusal,
  ProjectSession,
  SessionRefusal,
  WantedSession,
} from '../../edge-link/projects.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import { within } from '../../kernel/deadline.ts'
import { every } from '../../kernel/every.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { RightsWatch } from '../../kernel/rights/rights-watch.ts'
import type { StreamHead } from '../project-stream/index.ts'
import type { ProjectKeys } from '../projects/index.ts'
import type { ProjectCommands } from './project-commands.ts'
import { RowSession, type RowSessionDeps } from './row-session.ts'
import * as store from './sessions-store.ts'

/** Client ids of a project whose sessions are kept. */
const keptSessionsMax = 5
/** A session that was not woken looks for rows itself. */
const lookMs = 5_000
const keepMs = 600_000
/** Keys whose time is over end their connections after this at most. */
const keysMs = 500
const busyS = 1
/** How long a session waits for the former connection of its client id to store its place. */
const formerMs = 2_000

interface Deps extends Omit<RowSessionDeps, 'runCommand'> {
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly rights: Pick<RightsWatch, 'subscribe'>
  readonly keys: ProjectKeys
  readonly commands: ProjectCommands
}

/** The sessions of projects at this process (rules/projects.md: our MQTT endpoint). */
export class ProjectSessions implements ProjectDoor {
  readonly #deps: Deps
  readonly #open = new Map<number, Set<RowSession>>()
  /** Epoch milliseconds at which the keys of sessions end. */
  readonly #keyEnds = new Map<RowSession, number>()
  readonly #subscriptions: (() => void)[] = []
  #timers: NodeJS.Timeout[] = []

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    const { bus, rights, logger } = this.#deps
    this.#subscriptions.push(
      bus.subscribe('projectRows', ({ projectId }) => {
        for (const session of this.#of(projectId)) session.wake()
      }),
      bus.subscribe('projectResults', ({ projectId, result }) => {
        for (const session of this.#of(projectId)) session.tellResult(result)
      }),
      bus.subscribe('projectSessions', ({ projectId, clientId, holder }) => {
        for (const session of this.#of(projectId)) session.heldBy(clientId, holder)
      }),
      rights.subscribe({
        changed: ({ projectId }) => {
          if (projectId !== null) this.#checkKeys(projectId)
        },
        // Rows stop by themselves; keys are looked at again with the first change that is read.
        blind: () => undefined,
      }),
    )
    this.#timers = [
      every(lookMs, () => this.#each((session) => session.wake()), logger),
      every(keepMs, () => this.#keepAll(), logger),
      every(keysMs, () => this.#endByKeys(), logger),
    ]
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe()
    const open = [...this.#open.values()].flatMap((sessions) => [...sessions])
    for (const session of open) session.end('stopping')
    await Promise.all(open.map(({ ended }) => ended))
  }

  async login(projectId: number, key: Buffer, address: string): Promise<ProjectLogin | ProjectLoginRefusal> {
    try {
      return await this.#deps.keys.check(projectId, key.toString(), { from: address })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === 'PROJECT_KEY_WRONG') return { wrong: true }
      const retryIn = error.data?.retryIn
      return { retryIn: typeof retryIn === 'number' ? retryIn : busyS }
    }
  }

  async open(login: ProjectLogin, wanted: WantedSession): Promise<ProjectSession | SessionRefusal> {
    const { projectId } = login
    const held = { projectId, clientId: wanted.clientId, holder: randomUUID() }
    await this.#endFormer(held)
    const begun = await this.#begin(held, wanted)
    if (begun === undefined) return 'tooManySessions'
    this.#deps.bus.publish('projectSessions', held)
    const { commands } = this.#deps
    const session = new RowSession(
      {
        ...this.#deps,
        runCommand: (machineCode, payload) => commands.run(projectId, machineCode, payload),
      },
      { ...begun, held, keyId: login.keyId, isKept: wanted.keptS > 0 },
    )
    const ofProject = this.#open.get(projectId) ?? new Set()
    this.#open.set(projectId, ofProject.add(session))
    void session.ended.then(() => {
      ofProject.delete(session)
      this.#keyEnds.delete(session)
      if (ofProject.size === 0 && this.#open.get(projectId) === ofProject) this.#open.delete(projectId)
    })
    // Changed while the login was checked.
    this.#checkKeys(projectId)
    return session
  }

  /**
   * Ends the former connections of a client id here, so that what they acknowledged is not sent again: their place is
   * stored before it is read. One that does not end in time is taken over as it is.
   */
  async #endFormer({ projectId, clientId }: store.HeldSession): Promise<void> {
    const former = this.#of(projectId).filter((session) => session.isOf(clientId))
    for (const session of former) session.end('takenOver')
    const ended = Promise.all(former.map((session) => session.ended))
    await within(formerMs, ended, () => new Error('a former connection did not end')).catch((error) =>
      this.#deps.logger.warn({ err: error, projectId }, 'projectSession.takenUnstored'),
    )
  }

  /** Where a session goes on, or begins; undefined where a project has as many as are kept. */
  async #begin(held: store.HeldSession, { keptS, isFresh }: WantedSession) {
    const { db, streams, now } = this.#deps
    const head = (await streams.heads([held.projectId])).get(held.projectId)
    const at = new Date(now())
    return withTransaction(db, async (trx) => {
      await store.lockProject(trx, held.projectId)
      const kept = keptS > 0 && !isFresh ? await store.takeSession(trx, held, keptS, at) : undefined
      if (kept) return { isPresent: true, filters: kept.filters, place: placeIn(head, kept.place) }
      const place = { epoch: head?.epoch ?? null, no: (head?.nextNo ?? 1) - 1, at }
      if (keptS === 0) await store.removeSession(trx, held)
      else if ((await store.countOthers(trx, held, at)) >= keptSessionsMax) return undefined
      else await store.beginSession(trx, held, place, keptS, at)
      return { isPresent: false, filters: [], place }
    })
  }

  /** Reads when the keys of connections end, and ends those whose key is over. */
  #checkKeys(projectId: number): void {
    const { keys, logger } = this.#deps
    for (const session of this.#of(projectId))
      keys
        .endOf(session.keyId)
        .then((endsAt) => {
          if (!this.#open.get(projectId)?.has(session)) return
          this.#keyEnds.set(session, endsAt)
          this.#endByKeys()
        })
        // Rows of a session whose right cannot be read stop by themselves.
        .catch((error) => logger.warn({ err: error, projectId }, 'projectKey.checkFailed'))
  }

  #endByKeys(): void {
    const now = this.#deps.now()
    for (const [session, endsAt] of this.#keyEnds) if (endsAt <= now) session.end('keyEnded')
  }

  #of(projectId: number): readonly RowSession[] {
    return [...(this.#open.get(projectId) ?? [])]
  }

  async #keepAll(): Promise<void> {
    const open = [...this.#open.values()].flatMap((sessions) => [...sessions])
    for (const session of open) await session.stillKept()
    for (const keyId of new Set(open.map((session) => session.keyId)))
      await this.#deps.keys.noteStillUsed(keyId)
  }

  #each(act: (session: RowSession) => void): void {
    for (const sessions of this.#open.values()) for (const session of sessions) act(session)
  }
}

/**
 * A session's place in the stream that is there now. After a restore the same numbers are given out again: the session
 * goes on behind the rows that the restored stream has.
 */
function placeIn(head: StreamHead | undefined, { epoch, no, at }: store.Place): store.Place {
  if (!head) return { epoch: null, no: 0, at }
  return { epoch: head.epoch, no: epoch === head.epoch ? no : Math.min(no, head.nextNo - 1), at }
}
