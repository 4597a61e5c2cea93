import type { AnswerOf, checks as contract } from '@busbar/contract'
import { agentServicePath } from '@busbar/link'
import type { EdgeLink, TunnelLine } from '../../edge-link/edge-link.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { askAgent } from '../agent-config/index.ts'
import { logAnswer } from './agent-answers.ts'

const answerMsMax = 5_000
/** A ring of 1 MB in the agent's memory, as JSON. */
const answerBytesMax = 3 * 1024 * 1024

type Log = AnswerOf<typeof contract.getAgentLog>

/** The last hour of an agent's log. Throws AGENT_AWAY, AGENT_OLD, NOT_REACHABLE. */
export async function readLog(link: Pick<EdgeLink, 'tunnel'>, machineId: number): Promise<Log> {
  const line = await link.tunnel(machineId)
  if (!line) throw new Failure('AGENT_AWAY')
  return askLog(line)
}

export async function askLog(line: TunnelLine): Promise<Log> {
  const answer = await askAgent(line, { path: agentServicePath.log, answerMsMax, answerBytesMax })
  if (answer.status !== 200) throw new Failure(answer.status === 404 ? 'AGENT_OLD' : 'NOT_REACHABLE')
  const { lines, isCut } = answer.read(logAnswer)
  return {
    isCut,
    lines: lines.map(({ at, level, event, ...fields }) => ({
      at: Date.parse(at),
      level,
      event,
      text: Object.entries(fields)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    })),
  }
}
