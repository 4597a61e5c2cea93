import type { projects as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { Db } from './links-store.ts'

/** The number of the platform's own MQTT endpoint among reporting servers (rules/projects.md: reporting servers). */
export const ownServerId = 1

/** The servers that an operator added, by their numbers. */
export async function listServers(db: Db): Promise<contract.ReportingServer[]> {
  return db.selectFrom('reporting_servers').select(['id', 'name', 'host', 'port']).orderBy('id').execute()
}

/** The server that a project has chosen; undefined for the platform's own. */
export async function findServerOf(
  db: Db,
  projectId: number,
): Promise<Pick<contract.ReportingServer, 'host' | 'port'> | undefined> {
  return db
    .selectFrom('projects')
    .innerJoin('reporting_servers as server', 'server.id', 'projects.server_id')
    .select(['server.host', 'server.port'])
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
}

export async function hasServer(db: Db, id: number): Promise<boolean> {
  return (
    (await db.selectFrom('reporting_servers').select('id').where('id', '=', id).executeTakeFirst()) !==
    undefined
  )
}

export async function countServers(db: Db): Promise<number> {
  const row = await db
    .selectFrom('reporting_servers')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function createServer(
  trx: Db,
  server: Omit<contract.ReportingServer, 'id'>,
  at: Date,
): Promise<number> {
  const { id } = await trx
    .insertInto('reporting_servers')
    .values({ ...server, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Removes a server; answers its name, undefined when there is none. */
export async function deleteServer(trx: Db, id: number): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('reporting_servers')
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}
