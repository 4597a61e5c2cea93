import { fillTopic } from '@busbar/contract'
import type { SentRow } from './transport.ts'

/** In place of the machine of rows that are about the project, and of the group of rows that have several. */
const all = 'all'

interface Named {
  readonly machineCode?: string
  readonly machineName?: string
  readonly group?: string
}

/** The topic of a row at somebody's broker. */
export function topicOf(pattern: string, projectId: number, { text }: Pick<SentRow, 'text'>): string {
  const { machineCode = all, machineName = machineCode, group } = JSON.parse(`{${text}`) as Named
  return fillTopic(pattern, { projectId: String(projectId), machineCode, machineName, group: group || all })
}
