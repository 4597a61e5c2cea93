import { aside, createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectionUrl } from './connection.ts'
import { copyIn, copyOut } from './copy.ts'
import {
  checkServer,
  type Database,
  findServerFault,
  openDatabase,
  withClient,
  withTransaction,
} from './database.ts'
import { faultOf, isPassing, isRetryable } from './database-fault.ts'
import { withKeptPlan } from './kept-plan.ts'

let database: TestDatabase
let db: Database

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  db = database.db
})

afterEach(() => database.drop())

async function read(expression: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(db)
  return rows[0]?.value
}

describe('values', () => {
  it('of type bigint are numbers up to 2^53 and refused beyond', async () => {
    expect(await read('9007199254740991::bigint')).toBe(Number.MAX_SAFE_INTEGER)
    expect(await read(`'{1,null,-9007199254740991}'::bigint[]`)).toEqual([1, null, Number.MIN_SAFE_INTEGER])
    await expect(read('9007199254740992::bigint')).rejects.toThrow('beyond 2^53')
    expect(await read('9007199254740993::bigint::text')).toBe('9007199254740993')
  })

  it('of types with a time are instants, days stay days, numeric stays exact', async () => {
    expect(await read(`'2026-11-21 12:00:00+08'::timestamptz`)).toEqual(new Date('2026-11-21T04:00:00Z'))
    expect(await read(`'2026-11-21'::date`)).toBe('2026-11-21')
    expect(await read('0.1::numeric')).toBe('0.1')
    expect(await read(`'\\xff00'::bytea`)).toEqual(Buffer.from([255, 0]))
  })
})

describe('withKeptPlan', () => {
  const doubled = (value: number) => sql<{ twice: number }>`select ${value}::int * 2 as twice`

  it('keeps a plan under its name, for other values too, and no other statement’s', async () => {
    await db.connection().execute(async (one) => {
      const twice = async (value: number) => {
        const { rows } = await withKeptPlan('doubled', doubled(value)).execute(one)
        return rows
      }
      expect([await twice(4), await twice(21)]).toEqual([[{ twice: 8 }], [{ twice: 42 }]])
      await doubled(3).execute(one)
      const { rows } = await sql<{ name: string; used: number }>`
        select name, generic_plans + custom_plans as used from pg_prepared_statements`.execute(one)
      expect(rows).toEqual([{ name: 'doubled', used: 2 }])
    })
  })

  it('refuses one name for two statements', async () => {
    await db.connection().execute(async (one) => {
      await withKeptPlan('doubled', doubled(4)).execute(one)
      await expect(withKeptPlan('doubled', sql`select 1 as one`).execute(one)).rejects.toThrow('doubled')
    })
  })

  it('follows a table that was changed under the plan', async () => {
    await sql`create table things (id int primary key, name text not null)`.execute(db)
    await sql`insert into things values (1, 'lamp')`.execute(db)
    await db.connection().execute(async (one) => {
      const read = async () =>
        (await withKeptPlan('things', sql`select name from things where id = ${1}::int`).execute(one)).rows
      expect(await read()).toEqual([{ name: 'lamp' }])
      await sql`alter table things add column size int, drop constraint things_pkey`.execute(one)
      expect(await read()).toEqual([{ name: 'lamp' }])
    })
  })
})

describe('withTransaction', () => {
  beforeEach(() => sql`create table counters (id int primary key, count int not null)`.execute(db))

  it('writes all or nothing', async () => {
    const failing = withTransaction(db, async (tx) => {
      await sql`insert into counters values (1, 0)`.execute(tx)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await read('(select count(*) from counters)')).toBe(0)
  })

  it('joins the transaction it is given', async () => {
    const failing = withTransaction(db, async (outer) => {
      await withTransaction(outer, (inner) => sql`insert into counters values (1, 0)`.execute(inner))
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await read('(select count(*) from counters)')).toBe(0)
  })

  it('tries again after a deadlock', async () => {
    await sql`insert into counters values (1, 0), (2, 0)`.execute(db)
    const met = Promise.withResolvers<void>()
    let waiting = 0
    const add = (first: number, second: number) =>
      withTransaction(db, async (tx) => {
        await sql`update counters set count = count + 1 where id = ${first}`.execute(tx)
        if (++waiting === 2) met.resolve()
        await met.promise
        await sql`update counters set count = count + 1 where id = ${second}`.execute(tx)
      })
    await Promise.all([add(1, 2), add(2, 1)])
    expect(waiting).toBeGreaterThanOrEqual(3)
    expect(await read('(select array_agg(count) from counters)')).toEqual([2, 2])
  })
})

describe('isRetryable', () => {
  it('distinguishes a lost connection from a wrong statement', async () => {
    await expect(sql`select 1 / 0`.execute(db).catch(isRetryable)).resolves.toBe(false)
    const lost = withClient(db, (client) => client.query('select pg_terminate_backend(pg_backend_pid())'))
    await expect(lost.catch(isRetryable)).resolves.toBe(true)
    expect(await read('1')).toBe(1)
  })

  it('reports a connection that broke while a caller held it idle, and the process survives', async () => {
    const error = await withClient(
      db,
      aside(async (client) => {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        const gone = new Promise((resolve) => client.once('error', resolve))
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
        await gone
        return client.query('select 1')
      }),
    ).catch((reason: unknown) => reason)
    expect(isRetryable(error)).toBe(true)
  })

  it('reports a missing server', async () => {
    for (const away of [
      { ...database.connection, host: '/nonexistent' },
      { ...database.connection, host: '127.0.0.1', port: 1 },
      { ...database.connection, host: 'localhost', port: 1 },
    ]) {
      const nowhere = openDatabase(away)
      const error = await sql`select 1`.execute(nowhere).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expect(isRetryable(error)).toBe(true)
      await nowhere.destroy()
    }
    const stranger = openDatabase({ ...database.connection, password: 'guess' })
    expect(await sql`select 1`.execute(stranger).catch(isRetryable)).toBe(false)
    await stranger.destroy()
  })
})

describe('faultOf', () => {
  const stated = (code: string) => Object.assign(new Error('said by the server'), { code })

  it.each([
    ['53100', 'short', 'a full disk'],
    ['53200', 'short', 'no memory'],
    ['58030', 'short', 'a file that cannot be written'],
    ['25006', 'short', 'a server that only reads'],
    ['55P03', 'locked', 'a lock that is held for too long'],
    ['57014', 'slow', 'a statement over its time'],
    ['57P02', 'lost', 'a crash'],
    ['57P03', 'away', 'a start'],
    ['40P01', 'away', 'a deadlock'],
    ['08006', 'lost', 'a connection that ended'],
    ['23505', 'none', 'a value that is there twice'],
    ['22P02', 'none', 'a value of another type'],
    ['42P01', 'none', 'a table that is not there'],
  ])('%s is %s: %s', (code, fault) => {
    expect(faultOf(stated(code))).toBe(fault)
    expect(faultOf(new Error('by us', { cause: stated(code) }))).toBe(fault)
    expect(isPassing(stated(code))).toBe(fault !== 'none')
  })
})

describe('an address', () => {
  it('is the same as a URL', async () => {
    const url = connectionUrl(database.connection)
    expect(new URL(url).password).toBe(database.connection.password)
    const other = openDatabase(url)
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(other)
    expect(rows[0]?.name).toBe(database.connection.database)
    await other.destroy()
  })
})

describe('checkServer', () => {
  it('explains the fault of a server', () => {
    const good = { version: '15.0', number: '150000', encoding: 'UTF8', recovering: false }
    expect(findServerFault(good)).toBeUndefined()
    expect(findServerFault({ ...good, version: '14.19', number: '140019' })).toBe(
      'The database is PostgreSQL 14.19; Busbar needs 15 or newer.',
    )
    expect(findServerFault({ ...good, recovering: true })).toContain('read-only replica')
  })

  it('accepts a server that can be used and refuses another encoding in words', async () => {
    await checkServer(db)
    const name = `${database.connection.database}_latin`
    await sql
      .raw(`create database ${name} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`)
      .execute(db)
    const latin = openDatabase({ ...database.connection, database: name })
    await expect(checkServer(latin)).rejects.toThrow('encoding is SQL_ASCII; Busbar needs UTF8')
    await latin.destroy()
    await sql.raw(`drop database ${name} with (force)`).execute(db)
  })
})

describe('COPY', () => {
  beforeEach(() => sql`create table lines (id int primary key, text text not null)`.execute(db))

  it('takes rows cut anywhere and gives them back', async () => {
    const text = Array.from({ length: 20_000 }, (_, id) => `${id}\t电机 ${'x'.repeat(id % 97)}\n`).join('')
    const bytes = Buffer.from(text)
    const cuts = Array.from({ length: Math.ceil(bytes.length / 777) }, (_, n) =>
      bytes.subarray(n * 777, (n + 1) * 777),
    )
    expect(await withClient(db, (client) => copyIn(client, 'copy lines from stdin', cuts))).toBe(20_000)
    const back: Buffer[] = []
    const rows = await withClient(db, async (client) => {
      const blocks = copyOut(client, 'copy (select * from lines order by id) to stdout')
      for (;;) {
        const block = await blocks.next()
        if (block.done) return block.value
        back.push(block.value)
      }
    })
    expect(rows).toBe(20_000)
    expect(Buffer.concat(back).equals(bytes)).toBe(true)
  })

  it('is undone when a row is wrong or its source fails, and the connection goes on', async () => {
    await withClient(db, async (client) => {
      const wrong = copyIn(client, 'copy lines from stdin', [Buffer.from('1\tone\nx\ttwo\n')])
      await expect(wrong).rejects.toMatchObject({ code: '22P02' })
      async function* failing() {
        yield Buffer.from('1\tone\n')
        throw new Error('the file ended')
      }
      await expect(copyIn(client, 'copy lines from stdin', failing())).rejects.toThrow('the file ended')
      await expect(copyIn(client, 'copy nowhere from stdin', [])).rejects.toMatchObject({ code: '42P01' })
      // Its rows are on the way when the statement before it fails.
      const twice = `insert into lines values (1, 'one'), (1, 'one'); copy lines from stdin`
      const late = copyIn(client, twice, [Buffer.from('2\ttwo\n')])
      await expect(late).rejects.toMatchObject({ code: '23505' })
      expect((await client.query('select from lines')).rowCount).toBe(0)
      expect(await copyIn(client, 'copy lines from stdin', [])).toBe(0)
    })
  })

  it('waits for a slow reader, and a reader that leaves frees the connection', async () => {
    const before = process.memoryUsage().arrayBuffers
    const leaving = withClient(
      db,
      aside(async (client) => {
        const blocks = copyOut(
          client,
          `copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout`,
        )
        await blocks.next()
        // The server has 100 MB to send; it has to wait when the buffers are full.
        await withClient(db, (other) =>
          waitUntil(async () => {
            const { rows } = await other.query(
              `select from pg_stat_activity where wait_event = 'ClientWrite'`,
            )
            return rows.length > 0
          }),
        )
        expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
        await blocks.return(0)
        throw new Error('enough')
      }),
    )
    await expect(leaving).rejects.toThrow('enough')
    expect(await read('1')).toBe(1)
  })

  it('fails when the connection is lost in the middle, instead of writing to a dead stream endlessly', async () => {
    const outcome = withClient(
      db,
      aside(async (client) => {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        async function* endless() {
          for (let id = 0; ; id++) {
            if (id === 1000) await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
            yield Buffer.from(`${id}\tline\n`)
          }
        }
        return copyIn(client, 'copy lines from stdin', endless())
      }),
    )
    await expect(outcome.catch(isRetryable)).resolves.toBe(true)
    expect(await read('(select count(*) from lines)')).toBe(0)
  })
})

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5))
}

it('pg’s own parsers stay as they are for other users of pg', () => {
  expect(pg.types.getTypeParser(20, 'text')('1')).toBe('1')
})
