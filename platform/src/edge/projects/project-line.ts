import { type ReasonCode, reason } from '../mqtt/reasons.ts'
import type { ProjectLine, RowMessage } from './project-door.ts'

/** The parts of a connection that a session uses. */
interface ProjectConnection {
  readonly room: number
  sendRow(row: RowMessage, acknowledged: () => void): boolean
  send(topic: string, payload: Buffer): boolean
  end(code: ReasonCode, why: string): void
}

const ends: Record<Parameters<ProjectLine['end']>[0], { readonly code: ReasonCode; readonly why: string }> = {
  keyEnded: { code: reason.notAuthorized, why: 'its key ended' },
  takenOver: { code: reason.sessionTakenOver, why: 'another connection has its session' },
  stopping: { code: reason.serverShuttingDown, why: 'the platform is stopping' },
}

/** A connection as the session of its project uses it. */
export function openProjectLine(connection: ProjectConnection): ProjectLine {
  return {
    get room() {
      return connection.room
    },
    send: (row, acknowledged) => connection.sendRow(row, acknowledged),
    tell: (topic, payload) => void connection.send(topic, payload),
    end(why) {
      const { code, why: words } = ends[why]
      connection.end(code, words)
    },
  }
}
