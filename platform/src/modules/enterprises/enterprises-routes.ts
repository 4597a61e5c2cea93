import { enterprises as contract } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'
import { type Binding, bind } from '../../http/bind.ts'

/** The spaces a person belongs to. */
export function enterprisesRoutes(db: Kysely<DB>): Binding[] {
  return [
    bind(contract.listUserEnterprises, async (_, { user }) => {
      const rows = await db
        .selectFrom('enterprise_members')
        .innerJoin('enterprises', 'enterprises.id', 'enterprise_members.enterprise_id')
        .select([
          'enterprises.id',
          'enterprises.name',
          'enterprises.enable_project',
          'enterprise_members.role',
        ])
        .where('enterprise_members.user_id', '=', user.userId)
        .orderBy('enterprises.name')
        .execute()
      return rows.map((row) => ({
        eid: row.id,
        name: row.name,
        enableProject: row.enable_project,
        role: row.role as 'owner' | 'admin' | 'member',
      }))
    }),
  ]
}
