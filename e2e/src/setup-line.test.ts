import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentConfig, checks, createClient, onboarding, telemetry } from '@busbar/contract'
import { createUser, proveSession } from '@busbar/testkit/builders.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerMap, startModbusMachine } from '../../simulator/src/modbus-machine.ts'
import { packDownloads } from '../../tools/package-downloads.mjs'
import { type OwnSite, startSite } from './site.ts'

const answers = (program: string, args: string[]) => spawnSync(program, args).status === 0
/** As root, where mounting is allowed: a container often may not. */
const mayMount =
  process.getuid?.() === 0 &&
  answers('unshare', ['--mount', 'sh', '-c', 'mount --make-rprivate / && mount -t tmpfs tmpfs /mnt'])
const hasFetcher = answers('curl', ['--version']) || answers('wget', ['--version'])

const deadlineMs = 30_000
/** Runs a script as root on this machine's files, of which each change is thrown away. */
const freshRoot = join(import.meta.dirname, '../../platform/test-support/agents/fresh-root.sh')

/** A network of this machine alone, in which no other test has a controller. */
const plant = { network: '127.83.7.0/28', plc: '127.83.7.9' }

let folder: string | undefined
let site: OwnSite
let computer: ChildProcess | undefined

beforeAll(async () => {
  if (!mayMount || !hasFetcher) return
  folder = await mkdtemp(join(tmpdir(), 'busbar-setup-line-'))
  const out = join(folder, 'downloads')
  site = await startSite({ env: { DOWNLOADS_DIR: out } })
  const system = `linux-${process.arch}`
  expect(await packDownloads({ names: [system], fast: true, out })).toEqual([])
})
afterAll(async () => {
  if (computer?.exitCode === null && computer.signalCode === null) {
    computer.kill('SIGKILL')
    await once(computer, 'exit')
  }
  await site?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Asks until the answer is the awaited one. */
async function until<T>(ask: () => Promise<T>, isIt: (answer: T) => boolean): Promise<T> {
  for (const endAt = Date.now() + deadlineMs; ; await new Promise((done) => setTimeout(done, 100))) {
    const answer = await ask()
    if (isIt(answer)) return answer
    if (Date.now() > endAt) throw new Error(`still ${JSON.stringify(answer)}`)
  }
}

it.runIf(mayMount && hasFetcher)(
  'one line sets an agent up on an empty computer; a controller is found, read, and named as the cause when it is gone',
  async () => {
    const db = await site.openDatabase()
    const person = await createUser(db, { name: 'Ming Li' })
    await proveSession(db, person.sessionId)
    await db.destroy()
    const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => person.token })
    const plc = await startModbusMachine({ host: plant.plc, port: 502, moves: false })
    plc.set(registerMap.holdTemp.area, registerMap.holdTemp.address, 72.5)

    const beganAt = performance.now()
    const passed = () => `${Math.round(performance.now() - beganAt)} ms`
    const check = async () => {
      const startedAt = performance.now()
      const { jobId } = await client.call(checks.startCheck, { machineID: machineId })
      const done = await until(
        () => client.call(checks.getCheck, { jobId }),
        ({ state }) => state === 'done',
      )
      return { ...done, took: `${Math.round(performance.now() - startedAt)} ms` }
    }
    const { machineId, link, secret } = await client.call(onboarding.connectMachine, {
      name: 'Pasteuriser',
      kind: 'agent',
    })
    expect(secret).toBeNull()
    const get = answers('curl', ['--version']) ? 'curl -fsSL' : 'wget -qO-'
    const line = `${get} '${link?.setupUrl}?system=linux' | sh -s -- --networks ${plant.network}`
    computer = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', freshRoot], {
      stdio: 'pipe',
    })
    computer.stdin?.end(line)
    let told = ''
    for (const stream of [computer.stdout, computer.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        told += text
      })

    const setup = await until(
      () => client.call(onboarding.getSetup, { machineId }),
      ({ connectedAt }) => connectedAt !== null || computer?.exitCode !== null,
    )
    expect(setup.connectedAt, told).not.toBeNull()
    expect(setup.link?.acknowledgedAt).not.toBeNull()
    console.log(`from the registration to the connection in ${passed()}`)

    await until(
      () =>
        client.call(agentConfig.startScan, { machineId, network: plant.network }).then(
          () => true,
          () => false,
        ),
      Boolean,
    )
    const { found } = await until(
      () => client.call(agentConfig.getScan, { machineId }),
      ({ state }) => state === 'done',
    )
    expect(found).toEqual([expect.objectContaining({ address: plant.plc, port: 502, kind: 'modbus-tcp' })])

    const tags = ['holdTemp', 'inletTemp', 'phase'] as const
    const connection = {
      name: 'plc',
      driver: 'modbus-tcp',
      host: plant.plc,
      pollIntervalMs: 200,
      timeoutMs: 5_000,
      tags: tags.map((name) => {
        const { area, address, type } = registerMap[name]
        return { name, address: `${area}:${address}`, type, ...(name === 'phase' ? {} : { factor: 0.1 }) }
      }),
    }
    await client.call(agentConfig.applyAgentConfig, { machineId, base: 0, connections: [connection] })
    const latest = await until(
      () => client.call(telemetry.listLatest, { machineId }),
      (values) => values.length === tags.length && values.every(({ quality }) => quality === 'good'),
    )
    expect(latest.map(({ value }) => value)).toContain(72.5)
    console.log(`to the values of the controller that a scan found in ${passed()}`)
    const well = await check()
    // A machine that runs tests may be overloaded, and is told so.
    expect(['nothing', 'overloaded', 'memoryLow']).toContain(well.result?.cause)

    await plc.close()
    const { result } = await until(check, (done) => done.result?.connection === 'plc')
    expect(result).toMatchObject({ cause: 'plcRefused', who: 'onSite', isSure: true, connection: 'plc' })
    expect(result?.text).toContain('plc')

    computer.kill('SIGKILL')
    const away = await until(check, (done) => done.result?.cause === 'away')
    expect(away.result?.isSure).toBe(false)
    console.log(`checks: of a reachable machine ${well.took}, of one that is away ${away.took}`)
  },
)
