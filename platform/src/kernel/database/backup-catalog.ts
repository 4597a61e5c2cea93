import type { ClientBase } from 'pg'
import type { BackupPartition } from './backup-format.ts'

/** A table that holds rows itself: plain ones and the leaves of partitioned ones. */
export interface StoredTable {
  name: string
  /** Without generated ones, which PostgreSQL makes itself. */
  columns: string[]
}

/** All except `migrations`, which describes the database and is never copied. */
const ourTables = `c.relnamespace = 'public'::regnamespace and c.relname <> 'migrations'`

export async function listStoredTables(client: ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(`
    select c.relname as name,
           array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attnum) as columns
      from pg_class c
     where ${ourTables} and c.relkind = 'r'
     order by c.relname collate "C"`)
  return rows
}

/** Every partition, parents before their children. */
export async function listPartitions(client: ClientBase): Promise<BackupPartition[]> {
  const { rows } = await client.query<BackupPartition>(`
    with recursive tree as (
      select c.oid, 0 as depth from pg_class c where ${ourTables} and c.relkind = 'p' and not c.relispartition
      union all
      select i.inhrelid, tree.depth + 1 from pg_inherits i join tree on tree.oid = i.inhparent
    )
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
           pg_get_partkeydef(c.oid) as key, coalesce(c.reloptions, '{}') as options
      from tree join pg_class c on c.oid = tree.oid
      join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where tree.depth > 0
     order by tree.depth, c.relname collate "C"`)
  return rows
}

/** The sequences that have been used, with the last number they gave. */
export async function listSequences(client: ClientBase): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = 'public' and last_value is not null
     order by sequencename collate "C"`)
  return rows
}

/**
 * A table with rows other than those of the migrations; undefined if there are only those. Rows inserted by a migration
 * have the same transaction as its line in `migrations`.
 */
export async function findUsedTable(client: ClientBase): Promise<string | undefined> {
  for (const { name } of await listStoredTables(client)) {
    const { rows } = await client.query<{ used: boolean }>(`
      select exists (select from ${client.escapeIdentifier(name)}
                      where not (xmin = any (array(select m.xmin from migrations m)))) as used`)
    if (rows[0]?.used) return name
  }
  return undefined
}

/** Foreign keys as statements that drop them and add them again, checked, when all rows are there. */
export async function listForeignKeys(client: ClientBase): Promise<{ drop: string; add: string }[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(`
    select format('alter table %I drop constraint %I', c.relname, k.conname) as drop,
           format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as add
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.conparentid = 0 and ${ourTables}
     order by k.oid`)
  return rows
}

/** Tables with triggers of our own: they have done their work on these rows once already. */
export async function listTriggerTables(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and t.tgparentid = 0 and ${ourTables}`)
  return rows.map((row) => row.name)
}
