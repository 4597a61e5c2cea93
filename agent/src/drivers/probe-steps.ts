import type { AgentProbed, ProbeCode } from '@busbar/link'
import { errorReason } from '../log.ts'

export interface ProbeSteps<Line> {
  /** The network's connection alone, where the protocol's own line does not tell it. */
  connect?(): Promise<void>
  /** The line to the controller, ready to be asked. */
  hello(): Promise<Line>
  /** Reads something that the connection reads anyway. */
  read(line: Line): Promise<void>
  close(line: Line): void
  /** The code of a failure after the connection; undefined where the network's codes tell it. */
  codeOf(error: unknown, step: 'hello' | 'read'): ProbeCode | undefined
}

const networkCodes: Partial<Record<string, ProbeCode>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
}

/** The code of a failure that the network tells; `timeout` for any other one. */
export function networkCodeOf(error: unknown): ProbeCode {
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' ? networkCodes[code] : undefined) ?? 'timeout'
}

/** Takes the steps of one try, and measures each of them. */
export async function probe<Line>(steps: ProbeSteps<Line>): Promise<AgentProbed> {
  const times = {
    connectMs: null as number | null,
    helloMs: null as number | null,
    readMs: null as number | null,
  }
  const failed = (code: ProbeCode, error: unknown): AgentProbed => ({
    code,
    reason: errorText(error),
    ...times,
  })
  try {
    if (steps.connect) [times.connectMs] = await took(steps.connect())
  } catch (error) {
    return failed(networkCodeOf(error), error)
  }
  let line: Line | undefined
  let step: 'hello' | 'read' = 'hello'
  try {
    ;[times.helloMs, line] = await took(steps.hello())
    step = 'read'
    ;[times.readMs] = await took(steps.read(line))
    return { code: 'ok', reason: '', ...times }
  } catch (error) {
    return failed(steps.codeOf(error, step) ?? networkCodeOf(error), error)
  } finally {
    if (line !== undefined) steps.close(line)
  }
}

async function took<T>(work: Promise<T>): Promise<[ms: number, result: T]> {
  const beganAtMs = performance.now()
  const result = await work
  return [Math.round(performance.now() - beganAtMs), result]
}

/** In words where there are some. */
function errorText(error: unknown): string {
  const { message } = error as { message?: unknown }
  return typeof message === 'string' && message !== '' ? message : errorReason(error)
}
