import type { destinations as contract } from '@busbar/contract'

/** After the names at a broker of those who send beside the stream. */
export type NameEnd = '' | '-test' | '-replay' | '-resend'

const nameEnds: readonly NameEnd[] = ['', '-test', '-replay', '-resend']

/** A destination at a broker, by the settings that name it there. */
export interface NamedBroker {
  readonly id: number
  readonly projectId: number
  readonly format: contract.RowFormat
  readonly mqtt: Pick<contract.Mqtt, 'clientId' | 'group' | 'edgeNode'>
}

export interface SparkplugNames {
  readonly group: string
  readonly edgeNode: string
}

/** A broker lets each client id in once. */
export const clientIdOf = ({ id, mqtt }: Pick<NamedBroker, 'id' | 'mqtt'>, end: NameEnd): string =>
  (mqtt.clientId || `busbar-${id}`) + end

/** A node has one connection: the births and deaths of tests and of history do not touch the real one. */
export const sparkplugNames = (
  { mqtt: { group, edgeNode }, projectId }: Pick<NamedBroker, 'mqtt' | 'projectId'>,
  end: NameEnd,
): SparkplugNames => ({
  group: group || 'busbar',
  edgeNode: (edgeNode || `project-${projectId}`) + end,
})

/** The setting by which two destinations at one broker would end each other's connections or nodes. */
export function findClash(one: NamedBroker, other: NamedBroker): 'clientId' | 'edgeNode' | undefined {
  if (isSame(clientIdOf(one, ''), clientIdOf(other, ''))) return 'clientId'
  if (one.format !== 'sparkplug' || other.format !== 'sparkplug') return undefined
  const [own, theirs] = [sparkplugNames(one, ''), sparkplugNames(other, '')]
  return own.group === theirs.group && isSame(own.edgeNode, theirs.edgeNode) ? 'edgeNode' : undefined
}

const isSame = (one: string, other: string): boolean =>
  nameEnds.some((end) => one + end === other || other + end === one)
