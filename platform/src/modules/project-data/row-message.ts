import { projectTopic, type RowMessage } from '../../edge-link/projects.ts'
import { rowJson, type StreamRow } from '../project-stream/index.ts'

/** The group of rows that have several. */
const noGroup = 'all'

/** A row as our own MQTT endpoint sends it. */
export function rowMessage(projectId: number, row: StreamRow): RowMessage {
  const { group, machineCode } = JSON.parse(`{${row.text}`) as { group?: string; machineCode?: string }
  const place = machineCode === undefined ? '' : `/${machineCode}`
  const topic = `${projectTopic.rows(projectId)}${topicPart(group || noGroup)}${place}`
  return { no: row.no, topic, payload: Buffer.from(rowJson(row)) }
}

/** A topic has no wildcards and no NUL (MQTT 4.7); the row itself has the name as it is. */
function topicPart(group: string): string {
  return group.replaceAll(/[+#\0]/g, '_')
}
