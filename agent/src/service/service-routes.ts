import type { ServerHttp2Stream } from 'node:http2'
import type { AgentProbed, AgentScan, AgentScanRefusal } from '@busbar/link'
import { agentServiceLimits, agentServicePath, scanKinds } from '@busbar/link'
import type { Log } from '../log.ts'
import {
  answerJson,
  BadRequest,
  type JsonAnswer,
  type JsonFields,
  type PlatformRoutes,
  readJson,
} from '../tunnel/json-answers.ts'
import type { PlatformClock } from '../tunnel/visitor.ts'
import { type HealthParts, readHealth } from './health.ts'
import type { Scanner } from './scan.ts'

const nameCharactersMax = 256
const paths: ReadonlySet<string> = new Set(Object.values(agentServicePath))

export interface ServiceRoutesParts {
  readonly health: HealthParts
  probe(connection: string): Promise<AgentProbed | null>
  /** Null where the agent's file allows no configuration. */
  readonly scanner: Scanner | null
  readonly log: Log
}

/** Answers the platform's questions about the agent's state. */
export function createServiceRoutes({ health, probe, scanner, log }: ServiceRoutesParts): PlatformRoutes {
  /** One try of a connection at a time: controllers take few lines. */
  const probing = new Set<string>()

  async function answer(
    route: string,
    stream: ServerHttp2Stream,
    platformClock: PlatformClock,
  ): Promise<JsonAnswer | null> {
    switch (route) {
      case `GET ${agentServicePath.health}`:
        return { status: 200, body: await readHealth(health, platformClock) }
      case `GET ${agentServicePath.log}`:
        return { status: 200, body: health.keptLog.lines }
      case `POST ${agentServicePath.probe}`:
        return answerProbe(await readJson(stream, agentServiceLimits.requestBytesMax))
      case `POST ${agentServicePath.scan}`:
        return answerScan(await readJson(stream, agentServiceLimits.requestBytesMax))
      case `GET ${agentServicePath.scan}`:
        return scanner === null ? null : { status: 200, body: scanner.state }
      default:
        return null
    }
  }

  async function answerProbe({ connection }: JsonFields): Promise<JsonAnswer> {
    if (typeof connection !== 'string' || connection.length > nameCharactersMax) throw new BadRequest()
    if (probing.has(connection)) return { status: 409, body: {} }
    probing.add(connection)
    try {
      const probed = await probe(connection)
      return probed === null ? { status: 404, body: {} } : { status: 200, body: probed }
    } finally {
      probing.delete(connection)
    }
  }

  function answerScan(fields: JsonFields): JsonAnswer {
    const scan = parseScan(fields)
    if (scanner === null) return { status: 422, body: unavailable }
    const begun = scanner.begin(scan)
    if (begun === null) return { status: 409, body: scanner.state }
    return { status: 'refusal' in begun ? 422 : 202, body: begun }
  }

  return (stream, headers, platformClock) => {
    const { pathname } = new URL(String(headers[':path'] ?? ''), 'http://agent')
    if (!paths.has(pathname)) return false
    answerJson(stream, answer(`${headers[':method']} ${pathname}`, stream, platformClock), log)
    return true
  }
}

const unavailable: AgentScanRefusal = {
  refusal: 'scanUnavailable',
  message: "the agent's file allows no configuration from the platform: it names no networks to search",
}

function parseScan({ network, kinds }: JsonFields): AgentScan {
  const isKinds = Array.isArray(kinds) && kinds.every((kind) => scanKinds.some((known) => known === kind))
  if (typeof network !== 'string' || network.length > nameCharactersMax) throw new BadRequest()
  if (kinds !== undefined && !isKinds) throw new BadRequest()
  return kinds === undefined ? { network } : { network, kinds }
}
