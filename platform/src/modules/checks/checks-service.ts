import { randomUUID } from 'node:crypto'
import { type AnswerOf, checks as contract, type Lang } from '@busbar/contract'
import { create, MachineCheckSchema, Scene, toBinary } from '@busbar/contract/push'
import { createUserEvents } from '../../kernel/events/user-events.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Logger } from '../../kernel/logger.ts'
import { type Access, type AccessPort, noAccess } from '../access/index.ts'
import { causeText, itText, type Needed } from './cause-text.ts'
import { createCheck, findCheck, type StoredCheck, updateCheck } from './checks-store.ts'
import { findCause } from './find-cause.ts'
import { type Asked, type Browser, type GatherDeps, gatherParts, maySeeAll } from './gather.ts'

/** After so long a check whose process ended is over. */
const runningMsMax = 15_000

/** The parts of those who may not enter the machine. */
const partsOfListed: readonly contract.CheckPart[] = ['browser', 'platform', 'rights']

/** Addresses, versions and words of the plant, which are for keys. */
const factsOfKeys: ReadonlySet<contract.CheckFact> = new Set([
  'address',
  'refusedFrom',
  'version',
  'nodeVersion',
  'system',
  'proxy',
  'tlsIssuer',
  'iccid',
  'uplinkFailure',
  'failure',
])

export interface ChecksDeps extends GatherDeps {
  readonly access: AccessPort
  readonly logger: Logger
}

/** The words in which a result is told. */
interface Told {
  readonly lang: Lang
  readonly needed: Needed
}

interface Asking {
  readonly userId: number
  readonly machineId: number
  readonly browser: Browser
}

/**
 * Checks of devices: each runs in the process that was asked, stores its parts as they come, and finds its cause when it
 * is read, so that the reader's rights of that moment decide what is told (rules/agents.md: check).
 */
export class ChecksService {
  readonly #deps: ChecksDeps
  readonly #running = new Set<Promise<void>>()

  constructor(deps: ChecksDeps) {
    this.#deps = deps
  }

  async start({ userId, machineId, browser }: Asking): Promise<string> {
    const { db, now } = this.#deps
    const at = now()
    const access = await this.#accessOf(userId, machineId)
    const wished = { id: randomUUID(), machineId, userId, at: new Date(at) }
    const id = await createCheck(db, { ...wished, aliveSince: new Date(at - runningMsMax) })
    if (id !== wished.id) return id
    const run = this.#run(id, { machineId, userId, access, browser, at })
    this.#running.add(run)
    void run.finally(() => this.#running.delete(run))
    return id
  }

  async get(userId: number, id: string, told: Told): Promise<AnswerOf<typeof contract.getCheck>> {
    const check = await findCheck(this.#deps.db, id, userId)
    if (!check) throw new Failure('404')
    const access = await this.#accessOf(userId, check.machineId)
    if (!access.rights.has('listed')) throw new Failure('404')
    const parts = presentParts(check.parts, access)
    const isDone = check.endedAt !== null || this.#isGivenUp(check)
    return {
      jobId: id,
      machineId: check.machineId,
      state: isDone ? 'done' : 'running',
      startedAt: check.startedAt.getTime(),
      endedAt: isDone ? (check.endedAt ?? check.startedAt).getTime() : null,
      parts,
      result: isDone ? presentResult(parts, told, maySeeAll(access)) : null,
    }
  }

  /** Resolves when the checks that have begun are stored. */
  async drain(): Promise<void> {
    await Promise.all(this.#running)
  }

  #isGivenUp({ startedAt }: StoredCheck): boolean {
    return this.#deps.now() - startedAt.getTime() > runningMsMax
  }

  async #accessOf(userId: number, machineId: number): Promise<Access> {
    const { access, now } = this.#deps
    return (await access.list(userId, [machineId], now())).get(machineId) ?? noAccess
  }

  async #run(id: string, asked: Asked): Promise<void> {
    const { db, logger, now } = this.#deps
    const begunAt = performance.now()
    const gathered = gatherParts(this.#deps, asked)
    const parts = new Map<contract.CheckPart, contract.CheckedPart>(
      [...gathered.keys()].map((part) => [part, { part, state: 'running', ms: null, facts: [] }]),
    )
    const list = () => contract.checkParts.flatMap((part) => parts.get(part) ?? [])
    let stored = Promise.resolve()
    const store = (part: string, state: string, endedAt: Date | null) => {
      stored = stored.then(async () => {
        await updateCheck(db, id, list(), endedAt)
        await this.#tell(asked, { jobId: id, part, state })
      })
      return stored
    }
    try {
      await Promise.all(
        [...gathered].map(async ([part, found]) => {
          const { state, facts } = await found
          parts.set(part, { part, state, ms: Math.round(performance.now() - begunAt), facts: [...facts] })
          await store(part, state, null)
        }),
      )
      await store('', 'done', new Date(now()))
    } catch (error) {
      logger.warn({ err: error, machineId: asked.machineId }, 'check.failed')
    }
  }

  async #tell(
    { userId, machineId }: Asked,
    check: { jobId: string; part: string; state: string },
  ): Promise<void> {
    const { db, now } = this.#deps
    const body = toBinary(
      MachineCheckSchema,
      create(MachineCheckSchema, { ...check, machineId: String(machineId) }),
    )
    await createUserEvents(db, Scene.MACHINE_CHECK, new Date(now()), [{ userId, body }])
  }
}

/** The parts and facts that a person may see by these rights. */
function presentParts(parts: StoredCheck['parts'], access: Access): contract.CheckedPart[] {
  const isOfKeys = access.rights.has('bkey+')
  return parts
    .filter(({ part }) => maySeeAll(access) || partsOfListed.includes(part))
    .map((part) => ({
      ...part,
      facts: part.facts.filter(({ fact }) => isOfKeys || !factsOfKeys.has(fact)),
    }))
}

function presentResult(parts: readonly contract.CheckedPart[], { lang, needed }: Told, seesAll: boolean) {
  const found = findCause(parts)
  return { ...found, text: causeText(found, lang), itText: seesAll ? itText(needed, lang) : '' }
}
