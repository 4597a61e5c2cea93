import { type Database, openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { serve } from '../src/rpc.ts'
import { CopyWriter } from './copy-writer.ts'
import { codeOf, formatPayload } from './messages.ts'

const messagesPerBatch = 3_333

let db: Database
let payloads: { machine: string; payload: Buffer }[] = []

serve({
  /** Makes the messages beforehand: only reading and writing them is measured. */
  prepare({ databaseUrl, messages, machines }: { databaseUrl: string; messages: number; machines: number }) {
    db ??= openDatabase(databaseUrl, { poolMax: 1 })
    const firstAt = Date.now()
    payloads = Array.from({ length: messages }, (_, index) => ({
      machine: codeOf(index % machines),
      payload: Buffer.from(formatPayload(firstAt + Math.floor(index / machines))),
    }))
  },

  async run() {
    const writer = new CopyWriter(db)
    const startedAt = performance.now()
    for (let from = 0; from < payloads.length; from += messagesPerBatch) {
      for (const { machine, payload } of payloads.slice(from, from + messagesPerBatch))
        writer.add(machine, payload)
      await writer.commit()
    }
    const ms = performance.now() - startedAt
    const messages = payloads.length
    payloads = []
    return { messages, ms }
  },
})
