import type { PostgresConnection } from '../../src/kernel/database/connection.ts'
import { openDatabase } from '../../src/kernel/database/database.ts'
import { createSecretBox } from '../../src/kernel/secret-box.ts'
import { perform } from '../../src/modules/machine-imports/machine-imports-service.ts'

/** The order of a process: the database, the key of sealed secrets, and the import to run. */
export interface ImportOrder {
  readonly connection: PostgresConnection
  readonly key: string
  readonly importId: string
}

// A process that runs an import, and tells how far it is, until it is killed.
process.once('message', async ({ connection, key, importId }: ImportOrder) => {
  const db = openDatabase(connection)
  const deps = {
    db,
    jobs: { send: async () => '', cancel: async () => false },
    secrets: createSecretBox(Buffer.from(key, 'hex')),
    factor: false,
    selfRegistered: { from: '0'.repeat(19), to: '0'.repeat(19) },
    now: Date.now,
  }
  const { signal } = new AbortController()
  await perform(
    deps,
    { id: importId, data: { importId }, tries: 1 },
    { signal, progress: async (done) => void process.send?.(done) },
  )
  process.send?.('done')
  await db.destroy()
  process.disconnect?.()
})
