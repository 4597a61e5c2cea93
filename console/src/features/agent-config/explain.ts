import type { AgentConfigText } from './agent-config-text.ts'
import { type Connection, tagsOf, textOf } from './draft.ts'

/** A problem and its place, in the reader's language. */
export interface Problem {
  readonly place: string
  readonly text: string
}

/** A problem that the agent reports. Its messages are in English; the usual ones are translated. */
export function explainProblem(
  { path, message }: { readonly path: string; readonly message: string },
  connections: readonly Connection[],
  t: AgentConfigText['problems'],
): Problem {
  const [, connectionIndex, tagIndex, field] =
    /^connections\[(\d+)\](?:\.tags\[(\d+)\])?(?:\.(.+))?$/.exec(path) ?? []
  const connection = connections[Number(connectionIndex)]
  if (!connection) return { place: path, text: explainRule(message, t) }
  const tag = tagIndex === undefined ? undefined : tagsOf(connection)[Number(tagIndex)]
  const place = [
    t.connection(textOf(connection, 'name')),
    ...(tag ? [t.tag(textOf(tag, 'name'))] : []),
    ...(field ? [field] : []),
  ].join(' › ')
  return { place, text: explainRule(message, t) }
}

function explainRule(message: string, { rules }: AgentConfigText['problems']): string {
  const outside = /^(\S+) (?:leads to (\S+), which )?is outside the networks/.exec(message)
  if (outside) return rules.outside(outside[2] ?? outside[1] ?? '')
  const port = /^is port (\d+), which is outside the ports that the agent's file allows: (.+)$/.exec(message)
  if (port) return rules.port(port[1] ?? '', port[2] ?? '')
  const noAddress = /^(\S+) is a name without an address/.exec(message)
  if (noAddress) return rules.noAddress(noAddress[1] ?? '')
  if (message.startsWith('is missing')) return rules.missing
  if (/is taken by|is the name of another connection/.test(message)) return rules.taken
  if (message.startsWith('cannot be set remotely')) return rules.local
  if (message.startsWith('was changed too often')) return rules.many
  const range = /^has to be a whole number from (\S+) to (\S+),/.exec(message)
  return range ? rules.range(range[1] ?? '', range[2] ?? '') : message
}

/** Why a change was rolled back, in the agent's words. */
export function explainReason(reason: string, t: AgentConfigText['reasons']): string {
  const noValues = /^no values any more from (.+)$/.exec(reason)
  if (noValues) return t.noValues(noValues[1] ?? '')
  if (reason === 'the platform did not acknowledge the change') return t.notTold
  if (reason === 'the agent was restarted') return t.restarted
  const failed = /^the change failed: (.+)$/.exec(reason)
  return failed ? t.failed(failed[1] ?? '') : reason
}
