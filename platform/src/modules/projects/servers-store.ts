import type { projects as contract } from '@busbar/contract'
import type { Db } from './links-store.ts'

/** The number of the platform's own MQTT endpoint among reporting servers (rules/projects.md: reporting servers). */
export const ownServerId = 1

/** The servers that an operator added, by their numbers. */
export async function listServers(db: Db): Promise<contract.ReportingServer[]> {
  return db.selectFrom('reporting_servers').select(['id', 'name', 'host', 'port']).orderBy('id').execute()
}

export async function hasServer(db: Db, id: number): Promise<boolean> {
  return (
    (await db.selectFrom('reporting_servers').select('id').where('id', '=', id).executeTakeFirst()) !==
    undefined
  )
}
