import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onboarding as contract, downloads } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ensureAgentBuilt } from '../../../tools/build.mjs'
import { packDownloads } from '../../../tools/package-downloads.mjs'

const folder = mkdtempSync(join(tmpdir(), 'busbar-setup-script-'))
const out = join(folder, 'downloads')
const system = `linux-${process.arch}`
const debian = `debian-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`
const networks = '192.168.7.0/24'
/** The product's promise for the download and the start; a busy machine gets more. */
const connectedMs = 45_000

const works = (program: string, args: string[]) => spawnSync(program, args).status === 0
const hasDebian = works('dpkg-deb', ['--version'])
/** As root, where mounting is allowed: a container often may not. */
const hasRoots =
  works('curl', ['--version']) &&
  process.getuid?.() === 0 &&
  works('unshare', ['--mount', 'sh', '-c', 'mount --make-rprivate / && mount -t tmpfs tmpfs /mnt'])

const site = useSite({ DOWNLOADS_DIR: out })
let child: ChildProcess | undefined
let said = ''

beforeAll(async () => {
  await ensureAgentBuilt()
  expect(await packDownloads({ names: [system], fast: true, out })).toEqual([])
})
afterEach(async () => {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(program: string, args: readonly string[], input = ''): ChildProcess {
  said = ''
  const env = { ...process.env, LC_ALL: 'en_GB.UTF-8', DEBIAN_FRONTEND: 'noninteractive' }
  const running = spawn(program, args, { env, stdio: 'pipe' })
  for (const stream of [running.stdout, running.stderr])
    stream.on('data', (text) => {
      said += text
    })
  running.stdin.on('error', () => undefined)
  running.stdin.end(input)
  return running
}

async function connectAgent(user: TestUser) {
  const made = await site.as(user).call(contract.connectMachine, { name: 'Press 7', kind: 'agent' })
  return { machineId: made.machineId, link: made.link?.setupUrl ?? '' }
}

/** Waits until the platform knows that the machine has connected. */
async function connected(user: TestUser, machineId: number): Promise<void> {
  const find = async () => (await site.as(user).call(contract.getSetup, { machineId })).connectedAt
  await expect
    .poll(find, { timeout: connectedMs })
    .not.toBe(null)
    .catch((error: unknown) => {
      throw new Error(`not connected: ${said}`, { cause: error })
    })
  expect(said).not.toMatch(/"level":"error"/)
}

test('a downloaded folder is what the manifest lists, and its agent connects by the link', async () => {
  const user = await site.createUser()
  const { machineId, link } = await connectAgent(user)
  const { files } = await site.as(undefined).call(downloads.listDownloads, {})
  const [file] = files
  const bytes = Buffer.from(await (await fetch(`${site.url}${file?.url}`)).arrayBuffer())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(file?.sha256)
  const place = join(folder, 'unpacked')
  execFileSync('mkdir', [place])
  writeFileSync(join(folder, 'agent.tar.gz'), bytes)
  execFileSync('tar', ['-xzf', join(folder, 'agent.tar.gz'), '-C', place, '--strip-components=1'])
  const config = join(folder, 'config')
  child = run(join(place, 'busbar-agent'), ['setup', link, '--folder', config, '--networks', networks])
  await connected(user, machineId)
  expect(readFileSync(join(config, 'agent.yaml'), 'utf8')).toContain(networks)
  expect(await site.as(user).call(contract.getSetup, { machineId })).toMatchObject({
    link: { acknowledgedAt: expect.any(Number) },
  })
})

test.runIf(hasRoots && hasDebian)(
  'the line of the console takes the package where there is Debian',
  async () => {
    expect(await packDownloads({ names: [system, debian], fast: true, out })).toEqual([])
    const user = await site.createUser()
    const { machineId, link } = await connectAgent(user)
    const line = `curl -fsSL '${link}?system=linux' | sh -s -- --networks ${networks}`
    const root = join(import.meta.dirname, 'fresh-root.sh')
    child = run('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', root], line)
    await connected(user, machineId)
  },
)

test('a link that was used is refused in words, and changes nothing', async () => {
  const user = await site.createUser()
  const { link } = await connectAgent(user)
  const token = link.split('/').at(-1) ?? ''
  await site.as(undefined).call(contract.takeSetupSecret, { token })
  await site.as(undefined).call(contract.acknowledgeSetup, { token })
  const script = await (await fetch(`${link}?system=linux`)).text()
  child = run('sh', [], script)
  expect((await once(child, 'exit'))[0]).toBe(1)
  expect(said).toContain('This setup link was used.')
})
