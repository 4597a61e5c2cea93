import { randomUUID } from 'node:crypto'
import { agentConfig as contract } from '@busbar/contract'
import type { AgentScan, RemoteApply, RemoteCheck } from '@busbar/link'
import { agentConfigPath, agentServicePath, agentConfigLimits as link } from '@busbar/link'
import type { z } from 'zod'
import type { EdgeLink, TunnelLine } from '../../edge-link/edge-link.ts'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { AccessPort } from '../access/index.ts'
import { requireProof } from '../accounts/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import type { ControlPort } from '../visits/index.ts'
import {
  appliedAnswer,
  documentAnswer,
  failureAnswer,
  nodesAnswer,
  problemsAnswer,
  registersAnswer,
  type StateAnswer,
  scanAnswer,
  scanRefusalAnswer,
  stateAnswer,
} from './agent-answers.ts'
import {
  createChange,
  findMachineCode,
  hasRevision,
  listChanges,
  updateResults,
} from './agent-config-store.ts'
import { presentConfig } from './agent-config-views.ts'
import { type AgentAnswer, askAgent } from './ask-agent.ts'
import { isWithin } from './is-within.ts'

/** Time limits of an agent's answers, in ms. Controllers answer slowly, and a driver's file is loaded first. */
const stateMsMax = 5_000
const documentMsMax = 10_000
const changeMsMax = 20_000
const exploreMsMax = 20_000

export interface AgentConfigDeps {
  readonly db: Database
  readonly access: Pick<AccessPort, 'list'>
  readonly control: ControlPort
  readonly link: Pick<EdgeLink, 'tunnel'>
  now(): number
}

type Connections = readonly contract.AgentConnection[]

interface Change {
  readonly base: number
  readonly connections: Connections
  readonly restoredFrom: number | null
}

/** The result of a requested change. */
interface Outcome {
  readonly revision: number
  readonly result: 'ok' | 'refused'
  readonly isAnswered: boolean
}

/**
 * Configuration of agents: the rights, the requests, and the agents' answers. The agent decides by itself as well
 * (rules/data-centre.md: configuration of an agent).
 */
export class AgentConfigService {
  readonly #deps: AgentConfigDeps

  constructor(deps: AgentConfigDeps) {
    this.#deps = deps
  }

  async get(machineId: number): Promise<contract.AgentConfig> {
    const { db } = this.#deps
    const line = await this.#findLine(machineId)
    const state = (await line.remote()).includes('drivers') ? await askState(line) : undefined
    if (state) await updateResults(db, machineId, state.ended)
    return presentConfig(state, await listChanges(db, machineId, contract.agentConfigLimits.changesListed))
  }

  /** A version of the present owner's time, or the one that counts. */
  async getDocument(machineId: number, revision: number) {
    const line = await this.#findOpenLine(machineId)
    const isShown =
      (await askState(line)).revision === revision || (await hasRevision(this.#deps.db, machineId, revision))
    if (!isShown) throw new Failure('404')
    return { revision, connections: await readDocument(line, revision) }
  }

  async check(actor: Actor, machineId: number, connections: Connections) {
    const line = await this.#take(actor, machineId)
    const body: RemoteCheck = { document: { connections } }
    const answer = await askAgent(line, { path: agentConfigPath.check, body, ...changeLimits })
    if (answer.status !== 200) throw failureOf(answer)
    return answer.read(problemsAnswer)
  }

  /** The agent begins to try a document; `get` answers the result. */
  async apply(actor: Actor, machineId: number, { base, connections, restoredFrom }: Change) {
    const { db } = this.#deps
    const line = await this.#take(actor, machineId)
    const changeId = randomUUID()
    const body: RemoteApply = { base, id: changeId, document: { connections } }
    const tags = connections.reduce((sum, one) => sum + (Array.isArray(one.tags) ? one.tags.length : 0), 0)
    const size = { connections: connections.length, tags }
    const note = async (trx: Database, { revision, result, isAnswered }: Outcome) =>
      auditAct(trx, actor, {
        action: 'machine.agentConfig',
        target: await findMachineCode(trx, machineId),
        detail: { machineId, changeId, base, revision, restoredFrom, ...size, isAnswered },
        result,
      })
    let answer: AgentAnswer
    let revision = base
    try {
      answer = await askAgent(line, { path: agentConfigPath.apply, body, ...changeLimits })
      if (answer.status === 200) revision = answer.read(appliedAnswer).revision
    } catch (error) {
      // The agent may have begun all the same.
      await note(db, { revision: base, result: 'ok', isAnswered: false })
      throw error
    }
    const isBegun = answer.status === 200
    await withTransaction(db, async (trx) => {
      if (isBegun) {
        const { userId } = actor.user
        const at = new Date(actor.now)
        await createChange(trx, { machineId, changeId, revision, restoredFrom, userId, at, ...size })
      }
      await note(trx, { revision, result: isBegun ? 'ok' : 'refused', isAnswered: true })
    })
    if (!isBegun) throw failureOf(answer)
    return { revision }
  }

  async restore(actor: Actor, machineId: number, { base, revision }: { base: number; revision: number }) {
    const { connections } = await this.getDocument(machineId, revision)
    return this.apply(actor, machineId, { base, connections, restoredFrom: revision })
  }

  browse(actor: Actor, machineId: number, question: object): Promise<z.output<typeof nodesAnswer>> {
    return this.#explore(actor, machineId, agentConfigPath.nodes, question, nodesAnswer)
  }

  readRegisters(
    actor: Actor,
    machineId: number,
    question: object,
  ): Promise<z.output<typeof registersAnswer>> {
    return this.#explore(actor, machineId, agentConfigPath.registers, question, registersAnswer)
  }

  /** The agent begins to look for controllers in one of its networks. */
  async startScan(
    actor: Actor,
    machineId: number,
    {
      network,
      kinds,
      countScan,
    }: { network: string; kinds?: AgentScan['kinds']; countScan(): Promise<void> },
  ): Promise<Record<string, never>> {
    const line = await this.#take(actor, machineId)
    if (!isWithin(network, (await askState(line)).networks)) throw new Failure('SCAN_NETWORK')
    await countScan()
    const body: AgentScan = { network, ...(kinds && { kinds }) }
    const answer = await askAgent(line, { path: agentServicePath.scan, body, ...changeLimits })
    if (answer.status === 404) throw new Failure('AGENT_OLD')
    if (answer.status === 409) throw new Failure('SCAN_RUNNING')
    if (answer.status === 422) {
      const { refusal } = answer.read(scanRefusalAnswer)
      throw new Failure(refusal === 'scanUnavailable' ? 'AGENT_CONFIG_OFF' : 'SCAN_NETWORK')
    }
    if (answer.status >= 300) throw failureOf(answer)
    return {}
  }

  async getScan(machineId: number): Promise<z.output<typeof scanAnswer>> {
    const line = await this.#findOpenLine(machineId)
    const limits = { answerMsMax: stateMsMax, answerBytesMax: link.answerBytesMax }
    const answer = await askAgent(line, { path: agentServicePath.scan, ...limits })
    if (answer.status === 404) throw new Failure('AGENT_OLD')
    if (answer.status !== 200) throw failureOf(answer)
    return answer.read(scanAnswer)
  }

  async #explore<Answer>(
    actor: Actor,
    machineId: number,
    path: string,
    body: object,
    form: z.ZodType<Answer>,
  ): Promise<Answer> {
    const line = await this.#take(actor, machineId)
    const limits = { answerMsMax: exploreMsMax, answerBytesMax: link.answerBytesMax }
    const answer = await askAgent(line, { path, body, ...limits })
    if (answer.status !== 200) throw failureOf(answer)
    // A right may have ended while the controller took its time.
    await this.#requireRight(actor, machineId)
    return answer.read(form)
  }

  /** Everything that a change needs, and a question to a controller of the plant; takes the control as a write does. */
  async #take(actor: Actor, machineId: number): Promise<TunnelLine> {
    const { db, control } = this.#deps
    await this.#requireRight(actor, machineId)
    await requireProof(db, actor.user.sessionId, actor.now)
    const line = await this.#findOpenLine(machineId)
    await withTransaction(db, (trx) => control.takeForWrite(trx, machineId, actor.user.userId, actor.now))
    control.announce(machineId)
    return line
  }

  /** Keys, and members with `manage` and `control`; not with read-only access. */
  async #requireRight({ user }: Actor, machineId: number): Promise<void> {
    const { access, now } = this.#deps
    const mine = (await access.list(user.userId, [machineId], now())).get(machineId)
    const isLet = mine?.rights.has('bkey+') || mine?.memberRights.includes('manage')
    if (!mine || !isLet) throw new Failure('403')
    if (mine.readOnly) throw new Failure('READ_ONLY')
  }

  async #findLine(machineId: number): Promise<TunnelLine> {
    const line = await this.#deps.link.tunnel(machineId)
    if (!line) throw new Failure('AGENT_AWAY')
    return line
  }

  async #findOpenLine(machineId: number): Promise<TunnelLine> {
    const line = await this.#findLine(machineId)
    if (!(await line.remote()).includes('drivers')) throw new Failure('AGENT_CONFIG_OFF')
    return line
  }
}

const changeLimits = { answerMsMax: changeMsMax, answerBytesMax: link.answerBytesMax }

export async function askState(line: TunnelLine): Promise<StateAnswer> {
  const limits = { answerMsMax: stateMsMax, answerBytesMax: link.answerBytesMax }
  const answer = await askAgent(line, { path: agentConfigPath.state, ...limits })
  if (answer.status !== 200) throw failureOf(answer)
  return answer.read(stateAnswer)
}

export async function readDocument(line: TunnelLine, revision: number): Promise<contract.AgentConnection[]> {
  const path = `${agentConfigPath.document}?revision=${revision}`
  const limits = { answerMsMax: documentMsMax, answerBytesMax: link.documentBytesMax }
  const answer = await askAgent(line, { path, ...limits })
  if (answer.status !== 200) throw failureOf(answer)
  return answer.read(documentAnswer).connections
}

/** The error for an unwanted answer, with the agent's text. */
function failureOf(answer: AgentAnswer): Failure {
  switch (answer.status) {
    case 404:
      return new Failure('404')
    case 409:
      return new Failure('AGENT_CONFIG_CHANGED', { data: { revision: answer.read(stateAnswer).revision } })
    case 423:
      return new Failure('AGENT_CONFIG_BUSY')
    case 422: {
      const { problems, failure } = answer.read(
        problemsAnswer.partial().extend(failureAnswer.partial().shape),
      )
      if (problems) return new Failure('AGENT_CONFIG_WRONG', { data: { problems } })
      return new Failure('CONTROLLER_FAILED', { data: { reason: failure ?? '' } })
    }
    default:
      return new Failure('NOT_REACHABLE')
  }
}
