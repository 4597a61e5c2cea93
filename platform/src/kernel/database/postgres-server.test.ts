import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import makeDataFolder, { fillDataFolder } from '@busbar/testkit/data-folder.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, makeFolder, quick } from '../../../test-support/database/start-process.ts'
import type { Logger } from '../logger.ts'
import { unprivilegedId } from './data-dir.ts'
import { findPostgresServer, type PostgresServer, startPostgresServer } from './postgres-server.ts'

const isRoot = process.getuid?.() === 0

let folder: string
let dataDir: string
let server: PostgresServer | undefined

let removeMade: () => Promise<void>
beforeAll(async () => {
  removeMade = await makeDataFolder()
})
afterAll(() => removeMade?.())

beforeEach(async () => {
  folder = await makeFolder()
  await chmod(folder, 0o755)
  dataDir = join(folder, 'a data folder, "quoted"')
})

afterEach(async () => {
  await server?.stop()
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

async function start(settings: Record<string, string> = quick, logger?: Logger): Promise<PostgresServer> {
  server = await startPostgresServer({ dataDir, settings, ...(logger ? { logger } : {}) })
  return server
}

async function stop(): Promise<void> {
  await server?.stop()
  server = undefined
}

describe('the embedded PostgreSQL', () => {
  it('starts in an empty folder whose path has spaces, with its settings', async () => {
    const { connection, url } = await start()
    const [row] = await ask(
      connection,
      `select current_user as role, usesuper, datcollate, datlocprovider, datlocale,
              pg_encoding_to_char(encoding) as encoding, current_setting('listen_addresses') as addresses,
              current_setting('jit') as jit, current_setting('timezone') as zone
         from pg_database, pg_user where datname = current_database() and usename = current_user`,
    )
    expect(row).toEqual({
      role: 'busbar',
      usesuper: false,
      datcollate: 'C',
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
      encoding: 'UTF8',
      addresses: '',
      jit: 'off',
      zone: 'UTC',
    })
    expect(connection.host).toBe(join(dataDir, 'run'))
    expect(url).toContain(encodeURIComponent(connection.host))
  })

  it('lets in only clients with the password, which is in a file for us alone and in no log', async () => {
    const lines: string[] = []
    const keep = (fields: object, message: string) => lines.push(`${JSON.stringify(fields)} ${message}`)
    const { connection } = await start(quick, { debug: keep, info: keep, warn: keep, error: keep })
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
    await expect(ask({ ...connection, password: 'guess' }, 'select 1')).rejects.toMatchObject({
      code: '28P01',
    })
    await expect(ask({ ...connection, user: 'postgres' }, 'select 1')).rejects.toMatchObject({
      code: '28P01',
    })
    await stop()
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.join('\n')).not.toContain(connection.password)
  })

  it('keeps its data and its password over a restart', async () => {
    fillDataFolder(dataDir)
    const first = await start()
    await ask(first.connection, 'create table kept as select 7 as value')
    await stop()
    const second = await start()
    expect(second.connection).toEqual(first.connection)
    expect(await ask(second.connection, 'select value from kept')).toEqual([{ value: 7 }])
  })

  it('closes a data folder with its database to others, but not another user’s folder', async () => {
    fillDataFolder(dataDir)
    await chmod(dataDir, 0o755)
    await start()
    await stop()
    expect((await stat(dataDir)).mode & 0o066).toBe(0)
    dataDir = join(folder, 'shared')
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    await chmod(dataDir, 0o755)
    await expect(start()).rejects.toThrow('holds no PostgreSQL data')
    expect((await stat(dataDir)).mode & 0o777).toBe(0o755)
  })

  it('refuses a folder that is in use, and names it', async () => {
    fillDataFolder(dataDir)
    const { connection } = await start()
    await expect(startPostgresServer({ dataDir })).rejects.toThrow(
      `Another Busbar is running on the data folder ${dataDir}`,
    )
    expect(await ask(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is found by another process while it runs, and only then', async () => {
    fillDataFolder(dataDir)
    expect(await findPostgresServer(dataDir)).toBeUndefined()
    const { connection } = await start()
    expect(await findPostgresServer(dataDir)).toEqual(connection)
    await stop()
    expect(await findPostgresServer(dataDir)).toBeUndefined()
  })

  it('runs again by itself when its postmaster is killed', async () => {
    fillDataFolder(dataDir)
    const running = await start({})
    await ask(running.connection, 'create table kept as select 7 as value')
    const killed = running.pid
    const exit = new Promise((resolve) => running.onUnexpectedExit(resolve))
    const restarted = new Promise<number>((resolve) => running.onRestart(resolve))
    process.kill(killed, 'SIGKILL')
    expect(await exit).toMatchObject({ signal: 'SIGKILL' })
    expect(await restarted).toBe(running.pid)
    expect(running.pid).not.toBe(killed)
    expect(await ask(running.connection, 'select value from kept')).toEqual([{ value: 7 }])
  })

  it('stops in order while it is restarting', async () => {
    fillDataFolder(dataDir)
    const running = await start()
    const exit = new Promise((resolve) => running.onUnexpectedExit(resolve))
    process.kill(running.pid, 'SIGKILL')
    await exit
    await stop()
    await expect(ask(running.connection, 'select 1')).rejects.toMatchObject({ syscall: 'connect' })
  })

  it('refuses the data of another major version, and names it', async () => {
    fillDataFolder(dataDir)
    await start()
    await stop()
    const file = join(dataDir, 'postgres', 'PG_VERSION')
    const ours = Number(await readFile(file, 'utf8'))
    for (const other of [ours - 1, ours + 1]) {
      await writeFile(file, `${other}\n`)
      await expect(start()).rejects.toThrow(
        `was written by PostgreSQL ${other}, and this Busbar brings PostgreSQL ${ours}`,
      )
    }
    await writeFile(file, `${ours}\n`)
    await start()
  })

  it('refuses a folder postgres with other contents, and does not change it', async () => {
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'letters.txt'), 'dear')
    await expect(start()).rejects.toThrow('holds no PostgreSQL data')
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['letters.txt'])
  })

  it('puts its socket elsewhere when the path is too long for one', async () => {
    dataDir = join(folder, 'x'.repeat(60), 'y'.repeat(60))
    const { connection } = await start()
    expect(connection.host.startsWith(dataDir)).toBe(false)
    expect(Buffer.byteLength(join(connection.host, '.s.PGSQL.5432'))).toBeLessThanOrEqual(107)
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
    expect(await ask(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await stop()
    await rm(connection.host, { recursive: true })
  })

  it.runIf(isRoot)('runs as nobody for root, and gives it only its own parts', async () => {
    const { pid } = await start()
    expect((await stat(`/proc/${pid}`)).uid).toBe(unprivilegedId)
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(unprivilegedId)
    expect((await stat(join(dataDir, 'postgres-password'))).uid).toBe(0)
    expect((await stat(dataDir)).uid).toBe(0)
  })

  it.runIf(isRoot)('reports that nobody may not enter the folder', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    dataDir = join(closed, 'data')
    await expect(start()).rejects.toThrow(`may not enter ${dataDir}`)
  })

  it.runIf(isRoot)('takes over data that a cold copy left to root', async () => {
    fillDataFolder(dataDir)
    await start()
    await stop()
    const { chownSync, readdirSync } = await import('node:fs')
    const cluster = join(dataDir, 'postgres')
    for (const name of ['.', ...(readdirSync(cluster, { recursive: true }) as string[])]) {
      chownSync(join(cluster, name), 0, 0)
    }
    const { pid } = await start()
    expect((await stat(`/proc/${pid}`)).uid).toBe(unprivilegedId)
  })
})
