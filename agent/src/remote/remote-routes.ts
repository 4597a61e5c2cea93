import type { ServerHttp2Stream } from 'node:http2'
import type {
  ExploredNodes,
  ExploredRegisters,
  ExploreFailure,
  RemoteApplied,
  RemoteDocument,
  RemoteFields,
  RemoteProblems,
} from '@busbar/link'
import { agentConfigLimits, agentConfigPath, exploredAreas } from '@busbar/link'
import { errorReason, type Log } from '../log.ts'
import type { TagValue } from '../tag.ts'
import {
  answerJson,
  fieldsOf as anyFieldsOf,
  BadRequest,
  type JsonAnswer,
  type PlatformRoutes,
  readJson,
} from '../tunnel/json-answers.ts'
import { ConnectionWrong, type Explorers } from './explorers.ts'
import type { DocumentProblem } from './parse-document.ts'
import type { RemoteDrivers } from './remote-drivers.ts'

/** A document with the fields around it. */
const bodyBytesMax = agentConfigLimits.documentBytesMax + 64 * 1024
const idCharactersMax = 64
const nameCharactersMax = 256
const valueCharactersMax = 256

export interface RemoteRoutesParts {
  readonly drivers: RemoteDrivers
  readonly explorers: Explorers
  readonly log: Log
}

/** Answers the platform's questions about the configuration. */
export function createRemoteRoutes({ drivers, explorers, log }: RemoteRoutesParts): PlatformRoutes {
  async function answer(method: string, path: string, stream: ServerHttp2Stream): Promise<JsonAnswer | null> {
    const url = new URL(path, 'http://agent')
    if (method === 'GET' && url.pathname === agentConfigPath.state)
      return { status: 200, body: drivers.state() }
    if (method === 'GET' && url.pathname === agentConfigPath.document) {
      const document = await drivers.document(Number(url.searchParams.get('revision') ?? Number.NaN))
      return document === null ? { status: 404, body: {} } : { status: 200, body: document }
    }
    if (method !== 'POST') return null
    switch (url.pathname) {
      case agentConfigPath.check: {
        const { document } = await readBody(stream)
        return { status: 200, body: problemsOf(await drivers.check(parseRemoteDocument(document))) }
      }
      case agentConfigPath.apply:
        return apply(await readBody(stream))
      case agentConfigPath.nodes:
        return explore(await readBody(stream), exploreNodes)
      case agentConfigPath.registers:
        return explore(await readBody(stream), exploreRegisters)
      default:
        return null
    }
  }

  async function apply({ base, id, document }: Body): Promise<JsonAnswer> {
    if (typeof base !== 'number' || typeof id !== 'string' || id.length > idCharactersMax)
      throw new BadRequest()
    const result = await drivers.apply({ base, id, document: parseRemoteDocument(document) })
    switch (result.kind) {
      case 'begun':
        return { status: 200, body: { revision: result.revision } satisfies RemoteApplied }
      case 'stale':
        return { status: 409, body: drivers.state() }
      case 'busy':
        return { status: 423, body: drivers.state() }
      case 'wrong':
        return { status: 422, body: problemsOf(result.problems) }
    }
  }

  async function explore(body: Body, ask: (body: Body) => Promise<unknown>): Promise<JsonAnswer> {
    try {
      return { status: 200, body: await ask(body) }
    } catch (error) {
      if (error instanceof BadRequest) throw error
      if (error instanceof ConnectionWrong) return { status: 422, body: problemsOf(error.problems) }
      return { status: 422, body: { failure: errorReason(error).slice(0, 500) } satisfies ExploreFailure }
    }
  }

  async function exploreNodes({ connection, nodeId, continuation }: Body): Promise<ExploredNodes> {
    const { nodeIdCharactersMax, continuationCharactersMax } = agentConfigLimits
    const [start, next] = [
      textOrNull(nodeId, nodeIdCharactersMax),
      textOrNull(continuation, continuationCharactersMax),
    ]
    const page = await explorers.ask(fieldsOf(connection), (explorer) => {
      if (explorer.browse === undefined) throw new Error('this kind of controller has no address space')
      return explorer.browse(start ?? undefined, next ?? undefined)
    })
    return {
      nodes: page.nodes.map(
        ({ nodeId: id, name, isVariable, hasChildren, type, isReadable, isWritable, value }) => ({
          nodeId: id,
          name: name.slice(0, nameCharactersMax),
          isVariable,
          hasChildren,
          type,
          isReadable,
          isWritable,
          value: valueText(value),
        }),
      ),
      continuation: page.continuation,
    }
  }

  async function exploreRegisters({ connection, area, address, count }: Body): Promise<ExploredRegisters> {
    const known = exploredAreas.find((one) => one === area)
    const isPlace = isWhole(address, 0, 65_535) && isWhole(count, 1, agentConfigLimits.registersMax)
    if (known === undefined || !isPlace || address + count > 65_536) throw new BadRequest()
    const values = await explorers.ask(fieldsOf(connection), (explorer) => {
      if (explorer.readRegisters === undefined) throw new Error('this kind of controller has no registers')
      return explorer.readRegisters(known, address, count)
    })
    return { values }
  }

  return (stream, headers) => {
    const path = String(headers[':path'] ?? '')
    if (!path.startsWith(agentConfigPath.state)) return false
    answerJson(stream, answer(String(headers[':method']), path, stream), log)
    return true
  }
}

type Body = Readonly<Record<string, unknown>>

const readBody = (stream: ServerHttp2Stream): Promise<Body> => readJson(stream, bodyBytesMax)
const fieldsOf = (value: unknown): RemoteFields => anyFieldsOf(value) as RemoteFields

function parseRemoteDocument(value: unknown): RemoteDocument {
  const { connections } = fieldsOf(value)
  if (!Array.isArray(connections)) throw new BadRequest()
  return value as RemoteDocument
}

function textOrNull(value: unknown, charactersMax: number): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string' || value.length > charactersMax) throw new BadRequest()
  return value
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

function problemsOf(problems: readonly DocumentProblem[]): RemoteProblems {
  return { problems: problems.slice(0, agentConfigLimits.problemsMax) }
}

function valueText(value: TagValue | null): string | null {
  return value === null ? null : String(value).slice(0, valueCharactersMax)
}
