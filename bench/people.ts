import { parseArgs } from 'node:util'
import { accounts, createClient, enterprises, operator, type RequestOf, type Route } from '@busbar/contract'
import type { DB } from '@busbar/platform/kernel/database/schema.gen.ts'
import { createEnterprise, createUser, type TestUser } from '@busbar/testkit'
import { type Kysely, sql } from 'kysely'
import { startSite } from '../e2e/src/site.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* Lists and searches among many people: 100,000 users, 10,000 of them members of one enterprise that has 5,000 devices, some in others,
   a third of all users with a machine. One call after the other, over HTTP: what a person waits for. */

const { values } = parseArgs({
  options: { users: { type: 'string', default: '100000' }, calls: { type: 'string', default: '100' } },
})
const usersCount = Number(values.users)
const membersCount = Math.min(10_000, usersCount)
const devicesCount = 5_000
const callsWarmUp = 3
const targetMs = 50

console.log(describeMachine())
const site = await startSite()
const db = await site.openDatabase()
try {
  const boss = await createUser(db, { name: 'Olga Op' })
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
  const { eid, owner } = await createEnterprise(db)
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await fill(trx, eid)
  })
  printRows(await measureAll({ boss, owner, eid }))
} finally {
  await db.destroy()
  await site.stop()
}

async function fill(trx: Kysely<DB>, eid: number): Promise<void> {
  await sql`
    insert into users (name, email, country_code, phone, password_hash)
    select (array['张伟','王芳','李娜','Ana','Chen','Omar','Eva'])[1 + n % 7] || ' ' || n,
           'human' || n || '@example.test', '86', (13000000000 + n)::text, 'none'
    from generate_series(1, ${usersCount}) n`.execute(trx)
  await sql`
    insert into enterprise_members (enterprise_id, user_id, role, rights)
    select ${eid}, id, 'member', '{view}' from users where email like 'human%' order by id
    limit ${membersCount - 1}`.execute(trx)
  await sql`
    insert into enterprises (name) select 'Works ' || n from generate_series(1, ${usersCount / 100}) n`.execute(
    trx,
  )
  // Ten in each of the others: the planner goes by how large an enterprise is on the whole.
  await sql`
    insert into enterprise_members (enterprise_id, user_id, role)
    select ${eid} + 1 + n % ${usersCount / 100}, (select max(id) from users) - n, 'owner'
    from generate_series(0, ${Math.floor(usersCount / 10)} - 1) n`.execute(trx)
  await sql`
    insert into machines (code, type, name, secret_hash, owner_user_id, owner_enterprise_id)
    select lpad((4000000000000000000 + n)::text, 19, '0'), 'machine', 'Press ' || n, sha256(n::text::bytea),
           case when n > ${devicesCount} then (select min(id) from users) + n end,
           case when n <= ${devicesCount} then ${eid}::bigint end
    from generate_series(1, ${devicesCount + Math.floor(usersCount / 3)}) n`.execute(trx)
  await sql`
    insert into enterprise_machines (enterprise_id, machine_id, kind, name, added_at)
    select ${eid}, id, 'owned', name, now() from machines where owner_enterprise_id = ${eid}`.execute(trx)
  await sql`
    insert into sessions (user_id, token_hash, terminal_uuid, terminal_type, terminal_name, address, expires_at, ends_at)
    select id, sha256(id::text::bytea), 'terminal', 1, 'pc', '127.0.0.1', now() + interval '7 days', now() + interval '60 days'
    from users where email like 'human%'`.execute(trx)
  await sql`analyze`.execute(trx)
}

async function measureAll({ boss, owner, eid }: { boss: TestUser; owner: TestUser; eid: number }) {
  const rows: Row[] = []
  async function measure<R extends Route>(
    what: string,
    who: TestUser,
    route: R,
    request: (place: number) => RequestOf<R>,
    calls = Number(values.calls),
  ): Promise<void> {
    const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => who.token })
    const times: number[] = []
    for (let place = -callsWarmUp; place < calls; place++) {
      const beganAt = performance.now()
      await client.call(route, request(Math.abs(place)))
      if (place >= 0) times.push(performance.now() - beganAt)
    }
    rows.push({
      what,
      figure: `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
      target: `p50 < ${targetMs} ms`,
      met: quantile(times, 0.5) < targetMs,
    })
  }
  const somebody = (place: number) => 1 + ((place * 7_919) % membersCount)
  await measure('users, first page', boss, operator.listUsers, () => ({}))
  await measure('users, last page', boss, operator.listUsers, () => ({ page: Math.floor(usersCount / 50) }))
  await measure('users, part of a name', boss, operator.listUsers, (n) => ({ search: `李娜 ${somebody(n)}` }))
  await measure('users, two Chinese characters that many have', boss, operator.listUsers, () => ({
    search: '张伟',
  }))
  await measure('users, end of a phone', boss, operator.listUsers, (n) => ({ search: String(10_000 + n) }))
  await measure('users, nobody found', boss, operator.listUsers, (n) => ({ search: `zzz${n}` }))
  await measure('enterprises', boss, operator.listEnterprises, () => ({}))
  await measure('enterprises, by name', boss, operator.listEnterprises, (n) => ({ search: `Works ${n}` }))
  await measure('machine register', boss, operator.listMachines, () => ({}))
  await measure('machine register, part of a code', boss, operator.listMachines, (n) => ({
    search: `00${20_000 + n}`,
  }))
  await measure('overview', boss, operator.getOverview, () => ({}))
  await measure('audit log', boss, operator.listAudit, () => ({}))
  await measure('audit log, searched', boss, operator.listAudit, () => ({ search: 'user.login' }))
  await measure('members, first page', owner, enterprises.listMembers, () => ({ eid }))
  await measure('members, last page', owner, enterprises.listMembers, () => ({
    eid,
    page: membersCount / 50,
  }))
  await measure('members, part of a name', owner, enterprises.listMembers, (n) => ({
    eid,
    search: `李娜 ${somebody(n)}`,
  }))
  await measure('members, part of an account', owner, enterprises.listMembers, (n) => ({
    eid,
    search: `human${somebody(n)}`,
  }))
  await measure('the enterprise', owner, enterprises.getEnterprise, () => ({ eid }))
  await measure('devices, 200', owner, enterprises.listEnterpriseMachines, () => ({ eid, pageSize: 200 }))
  await measure('devices, searched among 5,000', owner, enterprises.listEnterpriseMachines, (n) => ({
    eid,
    search: `Press ${somebody(n)}`,
    pageSize: 200,
  }))
  await measure('devices, all 5,000 in short', owner, enterprises.listEnterpriseDevices, () => ({ eid }), 20)
  // Ten a minute for a person: each friend is another's.
  await measure(
    'a friend, by exact account',
    owner,
    accounts.addFriend,
    (n) => ({ account: `human${somebody(n)}@example.test` }),
    4,
  )
  return rows
}
