import { createHash } from 'node:crypto'
import { type agentConfig, type FileAnswer, productVersion } from '@busbar/contract'
import type { TunnelLine } from '../../edge-link/edge-link.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { redactFields } from '../../kernel/redact.ts'
import { type AccessPort, noAccess } from '../access/index.ts'
import { askState, readDocument } from '../agent-config/index.ts'
import { askLog } from './agent-log.ts'
import { findCause } from './find-cause.ts'
import { type GatherDeps, gatherParts } from './gather.ts'
import { findMachineCode } from './line-store.ts'

interface BundleDeps extends GatherDeps {
  readonly access: AccessPort
}

interface Asked {
  readonly machineId: number
  readonly userId: number
  readonly address: string
}

/**
 * Everything that support asks for, as one file of JSON that a person can read before sending it: the parts of a check,
 * the configuration without secrets, the log. Pieces that could not be had name the reason.
 */
export async function makeBundle(deps: BundleDeps, asked: Asked): Promise<FileAnswer> {
  const { db, access, link, now } = deps
  const { machineId, userId, address } = asked
  const line = await link.tunnel(machineId)
  if (!line) throw new Failure('AGENT_AWAY')
  const at = now()
  const own = (await access.list(userId, [machineId], at)).get(machineId) ?? noAccess
  const gathered = gatherParts(deps, { machineId, userId, access: own, browser: { address }, at })
  const [code, check, configuration, log] = await Promise.all([
    findMachineCode(db, machineId),
    listParts(gathered),
    orReason(() => readConfiguration(line)),
    orReason(async () => (await askLog(line)).lines),
  ])
  const { cause } = findCause(check)
  const bundle = {
    platform: productVersion,
    at: new Date(at),
    machine: code,
    cause,
    check,
    configuration,
    log,
  }
  const bytes = Buffer.from(`${JSON.stringify(bundle, null, 2)}\n`)
  const day = new Date(at).toISOString().slice(0, 10)
  return {
    name: `busbar-support-${code}-${day}.json`,
    mediaType: 'application/json',
    bytes: bytes.length,
    tag: createHash('sha256').update(bytes).digest('base64url'),
    async *open(from, to) {
      yield bytes.subarray(from, to + 1)
    },
  }
}

const listParts = (gathered: ReturnType<typeof gatherParts>) =>
  Promise.all([...gathered].map(async ([part, found]) => ({ part, ...(await found) })))

/** The answer, or the code of why it could not be had. */
async function orReason<Answer>(ask: () => Promise<Answer>): Promise<Answer | { missing: string }> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Failure) return { missing: error.code }
    throw error
  }
}

/** State and document of the drivers; of variables only their number. */
async function readConfiguration(line: TunnelLine) {
  if (!(await line.remote()).includes('drivers')) throw new Failure('AGENT_CONFIG_OFF')
  const state = await askState(line)
  return { state, connections: (await readDocument(line, state.revision)).map(withoutSecrets) }
}

function withoutSecrets({ tags, ...connection }: agentConfig.AgentConnection) {
  return { ...redactFields(connection), tags: Array.isArray(tags) ? tags.length : 0 }
}
