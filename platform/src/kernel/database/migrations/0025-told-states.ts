import { type Kysely, sql } from 'kysely'

/** Remembers what the last telling of each machine's state had read, and takes people's names out of facts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(told).execute(db)
  await sql.raw(names).execute(db)
}

// `seen`: the snapshot (pg_snapshot) that the telling read; its transactions are those of the epoch.
const told = `
create table machine_states_told (
  machine_id bigint primary key,
  epoch int,
  seen text
) with (fillfactor = 50);
`

// Names of devices, teams, groups and enterprises; "from" is a name only where a group was renamed.
const kinds = `kind in ('machine.renamed', 'machine.ownerChanged', 'device.added', 'device.changed', 'enterprise.made',
  'enterprise.changed', 'team.made', 'team.changed', 'team.removed', 'group.made', 'group.renamed', 'group.removed',
  'invitation.sent', 'maintenance.asked', 'transfer.offered')`
const named = `array['name', 'deviceName', 'enterprise', 'platformName']`

const names = `
update facts set payload = payload - ${named} - case when kind = 'group.renamed' then 'from' else '' end
 where ${kinds};
update facts_set_aside set fact = fact - ${named} - case when fact->>'kind' = 'group.renamed' then 'from' else '' end
 where ${kinds.replace('kind', "fact->>'kind'")};
`
