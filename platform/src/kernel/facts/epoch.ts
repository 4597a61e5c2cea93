import type { ClientBase } from 'pg'
import { type Database, withClient } from '../database/database.ts'

/** Streams whose rows have their transaction number without an epoch: only running processes read them. */
const streams = ['right_changes', 'user_events', 'machine_list_changes', 'machine_list_trims']
/** Streams whose readers are elsewhere, and keep numbers of them: another epoch says that numbers are given again. */
const numbered = ['project_streams']

/**
 * Begins a new epoch, because transactions are numbered anew: facts of former epochs come before all others. Rows of
 * other streams get the number of this transaction, since one from another cluster may be years ahead.
 */
export async function raiseEpoch(client: ClientBase): Promise<void> {
  // A backup of an earlier version lacks the facts and some of the transaction numbers.
  const { rows } = await client.query<{ table: string }>(
    `select table_name as table from information_schema.columns
     where table_schema = current_schema() and (column_name = 'epoch' or column_name = 'xid')`,
  )
  const tables = new Set(rows.map(({ table }) => table))
  if (tables.has('fact_epoch'))
    await client.query(`
      update fact_epoch
      set epoch = epoch + 1, system_identifier = (select system_identifier::text from pg_control_system())`)
  for (const table of numbered.filter((stream) => tables.has(stream)))
    await client.query(`update ${table} set epoch = gen_random_uuid()`)
  for (const table of streams.filter((stream) => tables.has(stream)))
    await client.query(`update ${table} set xid = pg_current_xact_id() where xid > pg_current_xact_id()`)
}

/** Begins a new epoch if the database is in another cluster than before, for whatever reason. */
export async function ensureEpoch(db: Database): Promise<void> {
  await withClient(db, async (client) => {
    const elsewhere = `
      select from fact_epoch
      where system_identifier <> (select system_identifier::text from pg_control_system())`
    if ((await client.query(elsewhere)).rowCount === 0) return
    await client.query('begin')
    // Another process that starts at the same moment waits, and finds it done.
    if ((await client.query(`${elsewhere} for update`)).rowCount !== 0) await raiseEpoch(client)
    await client.query('commit')
  })
}
