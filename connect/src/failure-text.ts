import { ApiFailure } from './api.ts'
import { ArgumentError } from './arguments.ts'
import { ShapeError } from './checked-json.ts'
import { SessionFileError } from './session-file.ts'
import { LocalPortError } from './target.ts'
import type { Texts } from './texts/index.ts'

/** A refusal of the program itself, in the person's words. */
export class Refusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

interface Described {
  readonly code: string
  readonly message: string
  /** The command line is wrong. */
  readonly isUsage?: true
  /** For a script. */
  readonly more?: object
}

/** An error for a person, and its code for a script. */
export function describeFailure(error: unknown, t: Texts, server: string): Described {
  if (error instanceof Refusal) return { code: error.code, message: error.message }
  if (error instanceof ArgumentError)
    return { code: error.fault, message: t.argumentFaults[error.fault](error.about), isUsage: true }
  if (error instanceof SessionFileError) {
    const say = error.fault === 'shared' ? t.sessionShared : t.sessionDamaged
    return { code: `session.${error.fault}`, message: say(error.path) }
  }
  if (error instanceof LocalPortError) return describePort(error, t)
  if (error instanceof ShapeError) return { code: 'answer', message: t.wrongAnswer(server) }
  if (error instanceof ApiFailure) return describeCall(error, t, server)
  return { code: 'failed', message: t.failed(error instanceof Error ? error.message : String(error)) }
}

function describePort({ fault, port, proposal, holder }: LocalPortError, t: Texts): Described {
  const say = { taken: t.portTaken, denied: t.portDenied, unusable: t.portUnusable }[fault]
  const what = holder ? t.portTakenBy(port, holder.name, holder.pid) : say(port)
  const parts = [what, ...(proposal ? [t.propose(proposal)] : [])]
  const more = { port, proposal: proposal || null, holder: holder ?? null }
  return { code: `port.${fault}`, message: parts.join('; '), more }
}

function describeCall(error: ApiFailure, t: Texts, server: string): Described {
  if (error.http === 0) return { code: error.code, message: t.unreachable(server, error.message) }
  if (error.http === 401) return { code: error.code, message: t.sessionOver }
  if (error.code === 'CONTROL_TAKEN' && error.who)
    return { code: error.code, message: t.inControl(error.who) }
  return { code: error.code, message: error.message }
}
