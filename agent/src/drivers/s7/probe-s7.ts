import type { AgentProbed } from '@busbar/link'
import { openSocket } from '../open-socket.ts'
import { probe } from '../probe-steps.ts'
import { S7Refusal } from './reasons.ts'
import type { S7Options, S7Tag } from './s7-connection.ts'
import { openS7Line } from './s7-line.ts'

const passwordCodes = new Set([0xd241, 0xd602])

/** One byte of the connection's first tag, over a line of its own: these controllers take several. */
export function probeS7(connection: S7Options & { tags: readonly S7Tag[] }): Promise<AgentProbed> {
  const { area, db, start } = connection.tags[0]?.address ?? { area: 'M' as const, db: 0, start: 0 }
  return probe({
    connect: async () => void (await openSocket(connection)).destroy(),
    hello: () => openS7Line(connection),
    async read(line) {
      const [answer] = await line.read([{ area, db, start, count: 1, items: [] }])
      if (answer instanceof S7Refusal) throw answer
    },
    close: (line) => line.close(),
    codeOf(error, step) {
      if (error instanceof S7Refusal) return passwordCodes.has(error.code) ? 'wrongUser' : 'readRefused'
      const { message } = error as Error
      if (/none of ISO-on-TCP/.test(message)) return 'notThisProtocol'
      // A controller without the slot answers nothing but the end of the connection.
      if (step === 'hello' && /rack, slot|closed the connection/.test(message)) return 'wrongSlot'
      return undefined
    },
  })
}
