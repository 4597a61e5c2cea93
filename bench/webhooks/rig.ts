import { type Client, createClient, destinations } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { recordRightChange } from '@busbar/platform/kernel/rights/right-changes.ts'
import { type NewRow, rowId, rowJson } from '@busbar/platform/modules/project-stream/index.ts'
import { encodeChunk } from '@busbar/platform/modules/project-stream/stream-chunk.ts'
import { appendChunks } from '@busbar/platform/modules/project-stream/stream-store.ts'
import { createUser } from '@busbar/testkit'
import { sql } from 'kysely'
import { type OwnSite, startSite } from '../../e2e/src/site.ts'
import { createMachines } from '../ingest/machines.ts'
import { codeOf } from '../ingest/messages.ts'
import { profileEnvironment } from '../src/profile.ts'
import { Worker } from '../src/rpc.ts'
import type { Manner } from './receiver.ts'

/** Rows of one piece of a stream, and of one request. */
export const rowsPerBody = 1_000
/** On a machine that is too busy for the load, rows come later than they are made. */
const arrivalMsMax = 20_000
/** Pieces that one statement appends. */
const chunksAtOnce = 200

export interface Project {
  readonly projectId: number
  /** As its owner: a person makes ten destinations a minute at most. */
  readonly client: Client
  readonly machines: readonly { readonly linkId: number; readonly code: string }[]
}

/** The platform in a process of its own, and its receivers in another. */
export class Rig {
  readonly site: OwnSite
  readonly db: Database
  readonly receiver: Worker
  readonly origin: string
  #machines = 0
  #rowsMax = Number.POSITIVE_INFINITY
  readonly #paths = new Set<string>()

  private constructor(parts: Pick<Rig, 'site' | 'db' | 'receiver' | 'origin'>) {
    this.site = parts.site
    this.db = parts.db
    this.receiver = parts.receiver
    this.origin = parts.origin
  }

  /** Starts one for `work`, and ends it afterwards. */
  static async with<T>(work: (rig: Rig) => Promise<T>): Promise<T> {
    const receiver = await Worker.start('webhooks/receiver.ts')
    try {
      const host = `127.0.0.1:${await receiver.call<number>('listen')}`
      const site = await startSite({
        env: { ...profileEnvironment(), OUTGOING_ALLOWED_NETWORKS: `* ${host}` },
      })
      const db = await site.openDatabase()
      try {
        return await work(new Rig({ site, db, receiver, origin: `http://${host}` }))
      } finally {
        await db.destroy()
        await site.stop()
      }
    } finally {
      await receiver.stop()
    }
  }

  /** A project of each change, of a person and with machines of its own. */
  async createProject(machines: number): Promise<Project> {
    const { db } = this
    const { userId, token } = await createUser(db)
    const first = this.#machines
    this.#machines += machines
    const at = new Date()
    await createMachines(db, machines, first)
    const codes = Array.from({ length: machines }, (_, number) => codeOf(first + number))
    const { id: projectId } = await db
      .insertInto('projects')
      .values({ user_id: userId, name: 'MES', created_at: at, every_s: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('project_members')
      .values({ project_id: projectId, user_id: userId, level: 3, invited_at: at, accepted_at: at })
      .execute()
    await sql`update machines set owner_user_id = ${userId} where code = any(${codes})`.execute(db)
    await sql`insert into machine_list_entries (user_id, machine_id, name)
      select ${userId}, id, name from machines where code = any(${codes})`.execute(db)
    const { rows } = await sql<{ linkId: number }>`
      insert into project_machines (project_id, machine_id, linked_by, linked_at)
      select ${projectId}, id, ${userId}, ${at} from machines where code = any(${codes}) order by id
      returning id as "linkId"`.execute(db)
    await recordRightChange(db, { projectId, reason: 'project' })
    const client = createClient({ baseUrl: this.site.url, lang: () => 'en', token: () => token })
    return {
      projectId,
      client,
      machines: rows.map(({ linkId }, place) => ({ linkId, code: codes[place] ?? '' })),
    }
  }

  /** A webhook to the receiver of a path, which gets the rows from now on. */
  async createWebhook(
    { projectId: id, client }: Project,
    path: string,
    settings: { readonly lanes?: number; readonly rowsMax?: number } = {},
  ): Promise<number> {
    this.#paths.add(path)
    const webhook = { name: 'MES', type: 'webhook', url: this.origin + path } as const
    const { targetId } = await client.call(destinations.createDestination, { id, ...webhook, ...settings })
    return targetId
  }

  /** Turns webhooks on or off, as their owner does; the platform looks every half second. */
  async turn(targetIds: readonly number[], state: 'on' | 'off'): Promise<void> {
    await this.db.updateTable('destinations').set({ state }).where('id', 'in', targetIds).execute()
    await this.db
      .updateTable('destination_lanes')
      .set({ tries: 0, next_try_at: null, failing_since: null })
      .where('destination_id', 'in', targetIds)
      .execute()
  }

  behave(manners: Readonly<Record<string, Manner>>): Promise<void> {
    return this.receiver.call('behave', manners)
  }

  /** Rows a second that each path accepts in this time. */
  async ratesFor(ms: number): Promise<Record<string, number>> {
    const before = await this.receiver.call<Record<string, number>>('counts')
    const beganAt = performance.now()
    await new Promise((resolve) => setTimeout(resolve, ms))
    const after = await this.receiver.call<Record<string, number>>('counts')
    const seconds = (performance.now() - beganAt) / 1_000
    if (Object.entries(after).some(([path, rows]) => this.#paths.has(path) && rows >= this.#rowsMax))
      throw new Error('a stream had no more rows')
    return Object.fromEntries(
      Object.entries(after).map(([path, rows]) => [path, (rows - (before[path] ?? 0)) / seconds]),
    )
  }

  /** Resolves when a path has accepted so many rows, or too long has passed. */
  async awaitRows(path: string, rows: number): Promise<void> {
    const until = performance.now() + arrivalMsMax
    while (performance.now() < until) {
      if (((await this.receiver.call<Record<string, number>>('counts'))[path] ?? 0) >= rows) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  /** Fills a stream with rows of its machines in turn; the same thousand of them again and again. */
  async fill(project: Project, rows: number, valuesPerRow: number): Promise<void> {
    const { projectId } = project
    const bytes = encodeChunk(madeRows(project, valuesPerRow))
    const chunks = Math.ceil(rows / rowsPerBody)
    for (let from = 0; from < chunks; from += chunksAtOnce) {
      const count = Math.min(chunksAtOnce, chunks - from)
      const pieces = Array.from({ length: count }, (_, n) => {
        return { projectId, from: n * rowsPerBody, to: (n + 1) * rowsPerBody, bytes }
      })
      await appendChunks(this.db, pieces, Date.now())
    }
    this.#rowsMax = rows
  }
}

function madeRows({ machines }: Project, valuesPerRow: number): NewRow[] {
  return Array.from({ length: rowsPerBody }, (_, n): NewRow => {
    const time = 1_760_000_000_000 + n * 10
    const values = Array.from({ length: valuesPerRow }, (_, tag) => `"value ${tag}":${n + tag / 10}`)
    const { linkId, code } = machines[n % machines.length] as (typeof machines)[0]
    const head = `"machineCode":"${code}","machineName":"Machine","group":"","time":${time}`
    return {
      ...{ linkId, machineId: null, kind: 'row', time, late: false },
      text: `${head},"receivedAt":${time + 3},"values":{${values}}}`,
    }
  })
}

/** The body of a request with such rows. */
export const madeBody = (project: Project, valuesPerRow: number): string =>
  `[${madeRows(project, valuesPerRow)
    .map((row, n) => rowJson({ ...row, no: n, id: rowId(project.projectId, 'f0f0f0f0', 1_000_000 + n) }))
    .join(',\n')}]`
