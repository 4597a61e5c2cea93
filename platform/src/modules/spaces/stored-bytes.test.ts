import { annotations, type BoardLayout, boards, type Tile, views } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'

const site = useSite({ STORAGE_MB_PERSON: '1', STORAGE_MB_ENTERPRISE: '2' })

const megabyte = 1_048_576

/** Reasons why a table with texts, JSON or bytes of any kind needs no budget. */
const uncounted: Readonly<Record<string, readonly string[]>> = {
  'a number of rows for each machine, enterprise, person or board is the limit': [
    'alarm_contacts',
    'former_contacts',
    'alarm_escalations',
    'alarm_rules',
    'alarm_shelves',
    'applications',
    'application_steps',
    'board_shares',
    'destination_lanes',
    'destinations',
    'enterprise_groups',
    'enterprise_handovers',
    'enterprise_invitations',
    'enterprise_machines',
    'enterprise_members',
    'enterprise_teams',
    'enterprises',
    'friends',
    'known_terminals',
    'machine_grants',
    'machine_groups',
    'machine_list_entries',
    'machine_transfers',
    'machines',
    'maintenance_windows',
    'port_writes',
    'project_keys',
    'project_machines',
    'project_pulls',
    'project_sessions',
    'projects',
    'recovery_codes',
    'second_factors',
    'sessions',
    'site_plans',
    'sites',
    'tag_settings',
    'users',
    'visit_ports',
    'visit_snapshots',
    'visits',
  ],
  'only operators write it': [
    'sim_plans',
    'sim_accounts',
    'sims',
    'brand_hosts',
    'brands',
    'machine_types',
    'reporting_servers',
    'sms_templates',
    'tile_sources',
  ],
  'the pace and the retention of machines limit it': [
    'alarm_escalation_runs',
    'alarm_rule_positions',
    'alarm_rule_states',
    'alarms',
    'machine_connections',
    'machine_place_history',
    'machine_states_told',
    'project_stream',
    'project_stream_open',
    'raw_messages',
    'sample_averages',
    'sample_chunks',
    'sample_log',
    'sample_log_positions',
    'sample_moves',
    'samples',
    'tag_latest',
    'tags',
  ],
  'a journal of acts, each short, limited by the rates of calls and removed after a time': [
    'agent_config_changes',
    'alarm_events',
    'audit_batches',
    'audit_entries',
    'dead_letters',
    'deliveries',
    'facts',
    'facts_set_aside',
    'machine_checks',
    'messages',
    'notification_windows',
    'notifications',
    'outgoing',
    'outgoing_attempts',
    'outgoing_parts',
    'report_deliveries',
    'report_files',
    'report_runs',
    'report_versions',
    'right_changes',
    'sms_stock_records',
    'user_events',
    'writes',
  ],
  'short-lived, made at the rate of sign-ins and codes': [
    'alarm_contact_asks',
    'alarm_links',
    'code_failures',
    'code_tickets',
    'codes',
    'destination_secrets',
    'device_codes',
    'embedding_codes',
    'login_challenges',
    'login_failures',
    'machine_password_tickets',
    'push_tickets',
    'qr_logins',
    'rate_counts',
    'rate_marks',
    'registrations',
    'scada_requests',
    'setup_links',
    'visit_codes',
    'visit_cookies',
    'visit_tickets',
  ],
  'a state of the platform itself': [
    'database_role',
    'fact_epoch',
    'fact_followers',
    'migrations',
    'nodes',
    'project_stream_logs',
    'project_stream_reader',
    'revoked_nodes',
  ],
  'a few words for each machine, whose number has limits of its own': [
    'line_notes',
    'machine_places',
    'self_registered',
    'place_asks',
    'told_places',
  ],
  'at most five of an operator, gone a day after their end': ['machine_imports', 'machine_import_parts'],
  'names what lies in FILES_DIR, which has shares of its own': ['files'],
}

test('each table that keeps texts, JSON or bytes counts towards a budget, or has a reason', async () => {
  const { rows } = await sql<{ name: string; isCounted: boolean }>`
    select table_name as name, exists (select from pg_trigger
      where tgname = table_name || '_bytes_inserts' and tgrelid = table_name::regclass
        and tgfoid::regproc::text = 'keep_bytes_of_' || table_name) as "isCounted"
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY', 'character varying')
      and table_name not in (select inhrelid::regclass::text from pg_inherits)
    group by 1 order by 1`.execute(site.db)
  const reasons = Object.values(uncounted).flat()
  const forgotten = rows.filter(({ name, isCounted }) => !isCounted && !reasons.includes(name))
  expect(forgotten.map(({ name }) => name)).toEqual([])
  const known = new Set(rows.map(({ name }) => name))
  expect(reasons.filter((name) => !known.has(name))).toEqual([])
  const counted = rows.filter(({ isCounted }) => isCounted)
  expect(counted.map(({ name }) => name)).toEqual([
    'alarm_rule_templates',
    'annotation_versions',
    'annotations',
    'board_templates',
    'board_versions',
    'boards',
    'exports',
    'reports',
    'uploads',
    'views',
  ])
})

const layoutOf = (characters: number): BoardLayout => ({
  variable: null,
  range: { lastMs: 3_600_000 },
  tiles: Array.from({ length: Math.ceil(characters / 2_000) }, (_, n): Tile => {
    const rest = Math.min(2_000, characters - n * 2_000)
    return { x: 0, y: 0, w: 4, h: 4, title: '', id: `t${n}`, type: 'text', text: 'x'.repeat(rest) }
  }),
})
const create = async (user: TestUser, characters: number, eid?: number) => {
  const body = { name: 'Line', layout: layoutOf(characters), ...(eid && { eid }) }
  return (await site.as(user).call(boards.createBoard, body)).id
}
const codeOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'kept',
    ({ code }: { code: string }) => code,
  )

/** The bytes that a space is said to keep, and those that its rows hold. */
async function bytesOf({ userId, eid }: { userId?: number; eid?: number }) {
  const { rows } = await sql<{ said: number; held: number }>`
    with own as (
      select name || layout::text as content from boards where user_id = ${userId} or enterprise_id = ${eid}
      union all select version.name || version.layout::text from board_versions version
        join boards on boards.id = board_id where user_id = ${userId} or enterprise_id = ${eid}
      union all select name || layout::text from board_templates where user_id = ${userId} or enterprise_id = ${eid}
      union all select name || state::text from views where user_id = ${userId} or enterprise_id = ${eid}
      union all select text from annotations where user_id = ${userId}
      union all select version.text from annotation_versions version
        join annotations on annotations.id = annotation_id where user_id = ${userId}
    ) select coalesce((select bytes from stored_bytes where user_id = ${userId} or enterprise_id = ${eid}), 0) as said,
      (select coalesce(sum(256 + octet_length(content)), 0) from own)::float8 as held`.execute(site.db)
  return rows[0]
}

describe('a person whose storage is full', () => {
  test('kept 350 MB of deleted boards a minute', async () => {
    const user = await site.createUser()
    const client = site.as(user)
    const ids: number[] = []
    let refused = ''
    while (refused === '' && ids.length < 20) {
      refused = await create(user, 100_000).then(
        async (id) => {
          ids.push(id)
          await client.call(boards.deleteBoard, { id })
          return ''
        },
        ({ code }: { code: string }) => code,
      )
    }
    expect([refused, ids.length]).toEqual(['STORAGE_FULL', 10])
    const failure = await failureOf(client, boards.createBoard, { name: 'x', layout: layoutOf(100_000) })
    expect(failure.message).toContain('Your storage of 1 MB is full: boards with their versions')
    // Nothing was deleted for it, what frees storage goes on, and others are not refused.
    const page = await client.call(boards.listBoards, { deleted: true })
    expect(page.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(await codeOf(create(await site.createUser(), 100_000))).toBe('kept')
    await client.call(boards.restoreBoard, { id: ids[0] as number })
    expect((await failureOf(client, boards.deleteBoard, { id: ids[0] as number, forGood: true })).code).toBe(
      '404',
    )
    await client.call(boards.deleteBoard, { id: ids[1] as number, forGood: true })
    expect((await failureOf(client, boards.restoreBoard, { id: ids[1] as number })).code).toBe('404')
    expect(await codeOf(create(user, 100_000))).toBe('kept')
  })

  test('adds neither a version, a view nor a note, and an enterprise has a budget of its own', async () => {
    const user = await site.createUser()
    const client = site.as(user)
    const { machineId } = await site.createMachine({ owner: user.userId })
    const id = await create(user, 100_000)
    let version = 1
    for (let tries = 0; tries < 9; tries++)
      ({ version } = await client.call(boards.updateBoard, { id, version, layout: layoutOf(100_000) }))
    const rest = megabyte - ((await bytesOf({ userId: user.userId }))?.said ?? 0)
    await create(user, Math.floor(rest / 2))
    await create(user, Math.floor(rest / 2) - 1_500)
    const layout = layoutOf(100_000)
    expect(await codeOf(client.call(boards.updateBoard, { id, version, layout }))).toBe('STORAGE_FULL')
    expect(await codeOf(client.call(boards.restoreBoardVersion, { id, version: 1 }))).toBe('STORAGE_FULL')
    const view = { name: 'x', state: { tags: [{ tagId: 1 }], view: 'trend' } } as never
    const note = { machineIds: [machineId], from: 1, to: 2, text: 'x'.repeat(190) }
    for (let tries = 0; tries < 4; tries++) await codeOf(client.call(annotations.createAnnotation, note))
    expect(await codeOf(client.call(annotations.createAnnotation, note))).toBe('STORAGE_FULL')
    expect(['STORAGE_FULL', '400']).toContain(await codeOf(client.call(views.createView, view)))
    const { eid, owner } = await site.createEnterprise()
    expect(await codeOf(create(owner, 100_000, eid))).toBe('kept')
  })
})

test('sixteen parallel writers together kept more than the budget', async () => {
  const { eid } = await site.createEnterprise()
  const members = await Promise.all(
    Array.from({ length: 16 }, () => site.createMember(eid, 'member', ['manage'])),
  )
  const write = async (user: TestUser) => [
    await codeOf(create(user, 100_000, eid)),
    await codeOf(create(user, 100_000, eid)),
  ]
  const written = (await Promise.all(members.map(write))).flat()
  expect(written.filter((code) => code === 'kept')).toHaveLength(20)
  expect(written.filter((code) => code === 'STORAGE_FULL')).toHaveLength(12)
  const bytes = await bytesOf({ eid })
  expect(bytes?.said).toBe(bytes?.held)
})

test('the count is that of the rows, whatever is added, changed, deleted and undone', async () => {
  const user = await site.createUser()
  const client = site.as(user)
  const { machineId } = await site.createMachine({ owner: user.userId })
  const check = async () => {
    const bytes = await bytesOf({ userId: user.userId })
    expect(bytes?.said).toBe(bytes?.held)
    return bytes?.said
  }
  const id = await create(user, 3_000)
  // Versions beyond the 50th go.
  for (let version = 1; version <= 53; version++)
    await client.call(boards.updateBoard, { id, version, layout: layoutOf(version * 10) })
  await check()
  await client.call(boards.saveBoardTemplate, { id, name: 'x', machineId }).catch(() => undefined)
  const note = await client.call(annotations.createAnnotation, {
    machineIds: [machineId],
    from: 1,
    to: 2,
    text: '备注',
  })
  await client.call(annotations.updateAnnotation, { id: note.id, text: 'another text' })
  const before = await check()
  await expect(
    site.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('boards').where('user_id', '=', user.userId).execute()
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await check()).toBe(before)
  await client.call(boards.deleteBoard, { id })
  expect(await check()).toBe(before)
  await client.call(boards.deleteBoard, { id, forGood: true })
  await client.call(annotations.deleteAnnotation, { id: note.id })
  await site.db.deleteFrom('board_templates').where('user_id', '=', user.userId).execute()
  expect(await check()).toBe(0)
  const erased = await site.createUser()
  await sql`insert into views (user_id, name, state, updated_at) values (${erased.userId}, 'x', '{}', now())`.execute(
    site.db,
  )
  expect((await bytesOf({ userId: erased.userId }))?.said).toBe(259)
  await site.db.deleteFrom('users').where('id', '=', erased.userId).execute()
  expect(await bytesOf({ userId: erased.userId })).toEqual({ said: 0, held: 0 })
})

test('an operator who lowers the budget deletes nothing, and what is above it can be made less', async () => {
  const user = await site.createUser()
  const id = await create(user, 50_000)
  await sql`update storage_budgets set person_bytes = 10000`.execute(site.db)
  onTestFinished(() =>
    sql`update storage_budgets set person_bytes = ${megabyte}`.execute(site.db).then(() => {}),
  )
  expect(await codeOf(create(user, 100))).toBe('STORAGE_FULL')
  expect((await site.as(user).call(boards.getBoard, { id })).name).toBe('Line')
  await site.as(user).call(boards.deleteBoard, { id })
  await site.as(user).call(boards.deleteBoard, { id, forGood: true })
  expect(await codeOf(create(user, 100))).toBe('kept')
})
