import type { RemoteApply, RemoteDocument, RemoteState } from '@busbar/link'
import { agentConfigLimits } from '@busbar/link'
import type { Clock } from '../clock.ts'
import type { DriverKinds } from '../drivers/driver-kind.ts'
import { errorReason, type Log } from '../log.ts'
import { riskOf } from './networks.ts'
import type { DocumentProblem, DocumentRules, ParsedDocument, RemoteConnection } from './parse-document.ts'
import { parseDocument, parseLeniently } from './parse-document.ts'
import { explored, remoteFields } from './remote-kinds.ts'
import type { RemoteStore } from './remote-store.ts'

/** Interval at which a trial checks whether everything reads again. */
const lookMs = 250

/** A connection that the agent reads now. */
export interface ReadConnection {
  readonly name: string
  readonly driver: string
  readonly tags: number
  readonly state: 'online' | 'offline' | 'unknown'
  readonly troubleCount: number
  readonly troubles: readonly { readonly tag: string; readonly reason: string }[]
}

/** The running agent, as a change of its configuration needs it. */
export interface ReadingAgent {
  /** Those of the hand-written file first. */
  connections(): readonly ReadConnection[]
  /** Number of tags it can still add before a restart is needed. */
  roomForTags(): number
  /**
   * Reads these besides those of the hand-written file; connections that are already read continue. `told` is
   * fulfilled when the cloud has acknowledged the tags.
   */
  change(
    connections: readonly RemoteConnection[],
    kinds: DriverKinds,
  ): Promise<{ readonly told: Promise<void> }>
}

export interface RemoteParts {
  readonly store: RemoteStore
  readonly rules: DocumentRules
  readonly networkTexts: readonly string[]
  readonly clock: Clock
  readonly log: Log
}

export type ApplyAnswer =
  | { readonly kind: 'begun'; readonly revision: number }
  | { readonly kind: 'stale' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'wrong'; readonly problems: readonly DocumentProblem[] }

interface Trial {
  readonly revision: number
  readonly id: string
  readonly at: number
  isTold: boolean
  /** Those that read before. */
  readonly names: readonly string[]
}

/** The configuration from the platform: checked, tried, kept or rolled back. */
export class RemoteDrivers {
  readonly #parts: RemoteParts
  /** The document in effect, as it was read; a failed trial returns to it. */
  #active: ParsedDocument
  #agent: ReadingAgent | null = null
  #trial: Trial | null = null
  #isBusy = false
  #cancelLook = (): void => undefined
  #isStopped = false

  private constructor(parts: RemoteParts, active: ParsedDocument) {
    this.#parts = parts
    this.#active = active
  }

  /** Reads the document in effect. Parts of it that are invalid by now are left out and logged. */
  static async open(parts: RemoteParts): Promise<RemoteDrivers> {
    const { store, rules, log } = parts
    const document = (await store.read(store.active)) ?? { connections: [] }
    const active = await parseLeniently(document, rules, ({ path, message }) =>
      log('warn', 'remote.partSkipped', { path, problem: message }),
    )
    return new RemoteDrivers(parts, active)
  }

  get connections(): readonly RemoteConnection[] {
    return this.#active.connections
  }

  get kinds(): DriverKinds {
    return this.#active.kinds
  }

  /** From now on changes can be applied. */
  attach(agent: ReadingAgent): void {
    this.#agent = agent
  }

  state(): RemoteState {
    const { store, networkTexts, rules } = this.#parts
    const trial = this.#trial
    return {
      revision: store.active,
      kinds: Object.keys(remoteFields).map((kind) => ({ kind, explore: explored[kind] ?? 'none' })),
      networks: networkTexts,
      wideNetworks: networkTexts.filter((network) => riskOf(network) !== undefined),
      connections: (this.#agent?.connections() ?? []).map((connection, index) => ({
        ...connection,
        remote: index >= rules.local.length,
      })),
      trial: trial && {
        revision: trial.revision,
        id: trial.id,
        at: trial.at,
        isTold: trial.isTold,
        waitsFor: this.#waitsFor(trial),
      },
      ended: store.ended,
    }
  }

  document(revision: number): Promise<RemoteDocument | null> {
    return this.#parts.store.read(revision)
  }

  async check(document: RemoteDocument): Promise<readonly DocumentProblem[]> {
    return (await parseDocument(document, this.#parts.rules)).problems
  }

  /** Starts the trial of a document. It is in effect once the machine works, which `state` reports. */
  async apply({ base, id, document }: RemoteApply): Promise<ApplyAnswer> {
    const { store, rules, clock, log } = this.#parts
    const agent = this.#agent
    if (agent === null || this.#isBusy || this.#isStopped) return { kind: 'busy' }
    if (base !== store.active) return { kind: 'stale' }
    this.#isBusy = true
    try {
      const parsed = await parseDocument(document, rules)
      const problems = [...parsed.problems, ...this.#checkRoom(agent, parsed)]
      if (problems.length > 0) {
        this.#isBusy = false
        return { kind: 'wrong', problems }
      }
      const at = clock.now()
      const revision = await store.begin(document, id, at)
      const names = namesRead(agent)
      const kept = new Set(
        [...rules.local, ...parsed.connections.map((one) => one.connection)].map(({ name }) => name),
      )
      this.#trial = { revision, id, at, isTold: false, names: names.filter((name) => kept.has(name)) }
      log('info', 'remote.trying', { revision, connections: parsed.connections.length })
      void this.#try(agent, parsed, this.#trial)
      return { kind: 'begun', revision }
    } catch (error) {
      this.#isBusy = false
      throw error
    }
  }

  /** Stops deciding a running trial: the next start finds it and rolls back. */
  stop(): void {
    this.#isStopped = true
    this.#cancelLook()
  }

  async #try(agent: ReadingAgent, parsed: ParsedDocument, trial: Trial): Promise<void> {
    const { store, clock, log } = this.#parts
    const untilMs = clock.monotonic() + agentConfigLimits.trialMs
    let reason = ''
    try {
      const { told } = await agent.change(parsed.connections, parsed.kinds)
      void told.then(() => {
        trial.isTold = true
      })
      reason = await this.#returned(trial, untilMs)
    } catch (error) {
      reason = `the change failed: ${errorReason(error)}`
    }
    if (this.#isStopped) return
    try {
      if (reason === '') this.#active = parsed
      else await agent.change(this.#active.connections, this.#active.kinds)
      // Until here the disk names the former version.
      await store.end(reason === '' ? 'applied' : 'rolledBack', reason)
    } catch (error) {
      log('error', 'remote.endFailed', { revision: trial.revision, reason: errorReason(error) })
    }
    const { revision } = trial
    if (reason === '') log('info', 'remote.applied', { revision })
    else log('warn', 'remote.rolledBack', { revision, reason })
    this.#trial = null
    this.#isBusy = false
  }

  /** Resolves to an empty text when everything reads again, or to the missing parts when the time is over. */
  #returned(trial: Trial, untilMs: number): Promise<string> {
    const { clock } = this.#parts
    return new Promise((resolve) => {
      const look = (): void => {
        const waitsFor = this.#waitsFor(trial)
        const isOver = clock.monotonic() >= untilMs
        if (trial.isTold && waitsFor.length === 0) resolve('')
        else if (isOver && trial.isTold) resolve(`no values any more from ${waitsFor.join(', ')}`)
        else if (isOver) resolve('the platform did not acknowledge the change')
        else this.#cancelLook = clock.after(lookMs, look)
      }
      look()
    })
  }

  #waitsFor({ names }: Trial): string[] {
    const read = new Set(this.#agent === null ? [] : namesRead(this.#agent))
    return names.filter((name) => !read.has(name))
  }

  #checkRoom(agent: ReadingAgent, { connections }: ParsedDocument): DocumentProblem[] {
    const tags = connections.reduce((sum, { connection }) => sum + connection.tags.length, 0)
    if (tags <= agent.roomForTags()) return []
    return [{ path: '', message: 'was changed too often: the agent has to be started anew first' }]
  }
}

function namesRead(agent: ReadingAgent): string[] {
  return agent.connections().flatMap(({ name, state }) => (state === 'online' ? [name] : []))
}
