import { type AnswerOf, type operator as contract, productVersion, scada } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { followerLagMsMax } from '../../kernel/facts/follower.ts'
import type { Figures } from '../../kernel/figures.ts'
import { countOpenEntries } from '../audit/index.ts'

type Overview = AnswerOf<typeof contract.getOverview>
type Health = Overview['health'][number]

const dayMs = 86_400_000
const databaseSlowMs = 100
/** Work that waits longer than this, in ms, is stuck rather than on its way. */
const forgottenMs = 5 * 60_000
const rightsSlowMs = 1_000
const rightsDownMs = 5_000

/** Counts, load, queues, and how every part is. */
export async function readOverview(
  db: Kysely<DB>,
  figures: Figures,
  times: { now: number; startedAt: number },
): Promise<Overview> {
  const { now } = times
  const askedAt = performance.now()
  await sql`select 1`.execute(db)
  const databaseMs = performance.now() - askedAt
  const [counts, outgoing, audit] = await Promise.all([
    countAll(db, now),
    countWaitingMessages(db),
    countOpenEntries(db),
  ])
  const recordsWaiting = figures.queues.find(({ name }) => name === 'records')?.length ?? 0
  const isForgotten = (since: Date | null) => since !== null && now - since.getTime() > forgottenMs
  return {
    at: now,
    version: productVersion,
    startedAt: times.startedAt,
    counts: { ...counts, machinesOnline: figures.machinesOnline },
    load: {
      messages: figures.messages,
      samples: figures.samples,
      pushSockets: figures.pushSockets,
      tunnels: figures.tunnels,
      visits: figures.visits,
      requestsInFlight: figures.requestsInFlight,
      memoryBytes: process.memoryUsage.rss(),
    },
    queues: [
      ...figures.queues,
      { name: 'outgoing', length: outgoing.count },
      { name: 'auditEntries', length: audit.count },
    ],
    health: [
      judge('database', Math.round(databaseMs), databaseMs > databaseSlowMs),
      judge('ingest', recordsWaiting, figures.isUnderPressure),
      judge(
        'rights',
        Math.round(figures.rightsAgeMs),
        figures.rightsAgeMs > rightsSlowMs,
        figures.rightsAgeMs > rightsDownMs,
      ),
      judge('facts', Math.round(figures.factsLagMs / 1_000), figures.factsLagMs > followerLagMsMax),
      judge('outgoing', outgoing.count, isForgotten(outgoing.oldestAt)),
      judge('audit', audit.count, isForgotten(audit.oldestAt)),
    ],
  }
}

function judge(part: Health['part'], value: number, isSlow: boolean, isDown = false): Health {
  return { part, value, state: isDown ? 'down' : isSlow ? 'slow' : 'ok' }
}

async function countAll(db: Kysely<DB>, now: number): Promise<Omit<Overview['counts'], 'machinesOnline'>> {
  const dayAgo = new Date(now - dayMs)
  const weekAgo = new Date(now - 7 * dayMs)
  const lateSince = new Date(now - scada.scadaAnswerMs)
  const { rows } = await sql<Omit<Overview['counts'], 'machinesOnline'>>`
    select
      (select count(*) from users) as users,
      (select count(distinct user_id) from sessions where last_seen_at > ${dayAgo}) as "usersToday",
      (select count(*) from users where created_at > ${weekAgo}) as "usersNew",
      (select count(*) from users where is_operator) as operators,
      (select count(*) from enterprises) as enterprises,
      register.machines, register.owned as "machinesOwned",
      (select count(*) from scada_requests where answered_at is null) as "scadaOpen",
      (select count(*) from scada_requests where answered_at is null and created_at < ${lateSince}) as "scadaLate"
    from (select count(*) as machines, count(coalesce(owner_user_id, owner_enterprise_id)) as owned from machines) as register
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('a count has no row')
  return row
}

async function countWaitingMessages(db: Kysely<DB>): Promise<{ count: number; oldestAt: Date | null }> {
  return db
    .selectFrom('outgoing')
    .select([sql<number>`count(*)`.as('count'), sql<Date | null>`min(created_at)`.as('oldestAt')])
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow()
}
