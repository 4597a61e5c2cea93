import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { metricValue, SparkplugDatatype } from '@busbar/link'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePort } from '../testkit/src/free-port.ts'
import { packAgent } from '../tools/package-agent.mjs'
import { buildAgent } from './build.mjs'
import { parseConfig } from './src/config/parse-config.ts'
import { TestBroker } from './src/testing/test-broker.ts'

const deploy = join(import.meta.dirname, '../deploy')
const epochS = 1_700_000_000
const storyMsMax = 90_000
const deliverMsMax = 30_000
/** The first boot lasts until its queue has some two thousand bytes: dozens of values. */
const oldValuesMin = 5

const answers = (program: string, args: string[]) => spawnSync(program, args).status === 0
const canPack = answers('dpkg-deb', ['--version'])
const canVerify = answers('systemd-analyze', ['--version'])
/** As root, where mounting is allowed: a container often may not. */
const canInstall =
  canPack &&
  process.getuid?.() === 0 &&
  answers('setpriv', ['--version']) &&
  answers('deb-systemd-helper', ['--help']) &&
  answers('unshare', ['--mount', 'sh', '-c', 'mount --make-rprivate / && mount -t tmpfs tmpfs /mnt'])

let folder: string
let deb: string
let story: ChildProcessWithoutNullStreams | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-package-'))
  if (!canPack) return
  if (!existsSync(join(import.meta.dirname, 'dist/busbar-agent.mjs'))) await buildAgent()
  deb = await packAgent({ out: folder, fast: true, epochS })
})
afterAll(async () => {
  if (story?.exitCode === null) {
    // It cleans up at its end.
    story.stdin.end('enough\n')
    await once(story, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
})

it.runIf(canPack)(
  'the same sources make the same package, with the owners and modes that it needs',
  async () => {
    const again = await packAgent({ out: join(folder, 'again'), fast: true, epochS })
    const sha256 = async (path: string) =>
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
    expect(await sha256(again)).toBe(await sha256(deb))
    expect(
      execFileSync('sha256sum', ['--check', `${deb}.sha256`], { cwd: folder, encoding: 'utf8' }),
    ).toMatch(/: OK$/m)
    const list = execFileSync('dpkg-deb', ['--contents', deb], {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
    })
    const lines = list
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s+/))
    expect(lines.every(([, owner, , date]) => owner === 'root/root' && date === '2023-11-14')).toBe(true)
    const modeOf = (path: string) => lines.find((line) => line[5] === path)?.[0]
    expect(modeOf('./usr/share/busbar-agent/agent.yaml')).toBe('-rw-r--r--')
    expect(modeOf('./usr/bin/busbar-agent')).toBe('-rwxr-xr-x')
    const control = execFileSync('dpkg-deb', ['--field', deb], { encoding: 'utf8' })
    expect(control).not.toContain('${')
  },
)

it.runIf(canVerify).each(['systemd/busbar.service', 'agent-deb/busbar-agent.service'])(
  '%s: systemd understands every line, and finds little that is exposed',
  async (name) => {
    const unit = join(folder, name.replace(/.*\//, ''))
    const text = await readFile(join(deploy, name), 'utf8')
    // The programs are not installed here.
    await writeFile(unit, text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
    expect(
      verified.stderr.split('\n').filter((line) => line.includes(unit) || line.startsWith('busbar')),
    ).toEqual([])
    // In tenths: 25 is the upper end of what systemd calls OK.
    const secured = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=25', unit], {
      encoding: 'utf8',
    })
    expect(secured.status, secured.stdout + secured.stderr).toBe(0)
  },
)

it.runIf(canInstall)(
  'installs, waits for its secret, keeps configuration and queue through shutdown, power cut and upgrade, and goes without a trace',
  async () => {
    const port = await findFreePort()
    story = spawn('unshare', [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      join(import.meta.dirname, 'src/testing/package-story.sh'),
      deb,
      String(port),
    ])
    const told = readStory(story)
    const sayOf = async (word: string) => (await told(word)).slice(word.length).trim()

    expect(await sayOf('installed')).toBe('install ok installed')
    expect(await sayOf('user')).toBe('busbar-agent /usr/sbin/nologin')
    expect(await sayOf('config')).toBe('750 root:busbar-agent 640 root:busbar-agent 640 root:busbar-agent')
    expect(await sayOf('remote')).toBe('remote: off # networks: [192.168.0.0/24]')
    expect(await sayOf('enabled')).toMatch(/^(\/usr)?\/lib\/systemd\/system\/busbar-agent.service$/)
    expect(await sayOf('node')).toMatch(/^v26\./)
    await told('skipped')
    expect(await sayOf('stopped')).toBe('0')
    const firstEndedAt = Number(await sayOf('first-boot-ended'))
    expect(await sayOf('state')).toBe('700 busbar-agent:busbar-agent')
    expect(await sayOf('kept')).toBe('1 secret-of-the-machine 640 root:busbar-agent')

    await told('cloud')
    const broker = await TestBroker.start(port)
    // The only tag; live values take another path.
    const old = () =>
      broker
        .of('NDATA')
        .flatMap(({ payload }) => payload.metrics)
        .filter(({ isHistorical, timestamp = Infinity }) => isHistorical && timestamp <= firstEndedAt)
        .map((metric) => Number(metricValue(metric, SparkplugDatatype.int64)))
    await within(
      deliverMsMax,
      broker.until(() => new Set(old()).size >= oldValuesMin),
    ).catch(() => {
      throw new Error(`of the first boot came ${old()}, and ${broker.arrivals.length} messages in all`)
    })
    expect(broker.connects[0]).toMatchObject({ username: '1000000000000000001' })
    story.stdin.write('enough\n')
    expect(await sayOf('removed')).toBe(
      '/etc/busbar-agent/agent.yaml /etc/busbar-agent/secret /var/lib/busbar-agent',
    )
    const answered = parseConfig(Buffer.from(await sayOf('answered'), 'base64').toString())
    expect(answered).toMatchObject({ remote: { networks: ['192.168.1.0/24', 'fd00::/64'] } })
    expect(await sayOf('purged')).toBe('')
    await told('end')
    await broker.close()
    if (story.exitCode === null) await once(story, 'exit')
    expect(story.exitCode).toBe(0)
    expect(existsSync('/etc/busbar-agent')).toBe(false)
  },
  storyMsMax,
)

async function within(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.reject(new Error('late')), ms)
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** Waits for lines of the story by their first word, in order; the story's end before one is the test's failure. */
function readStory(story: ChildProcessWithoutNullStreams): (word: string) => Promise<string> {
  const said: string[] = []
  const other: string[] = []
  const lines = createInterface(story.stdout)
  lines.on('line', (line) => (line.startsWith('STORY ') ? said.push(line.slice(6)) : other.push(line)))
  story.stderr.on('data', (text) => other.push(String(text)))
  const ended = once(story, 'exit')
  let at = 0
  return async (word) => {
    for (;;) {
      for (; at < said.length; at++) {
        const line = said[at] ?? ''
        if (line === word || line.startsWith(`${word} `)) {
          at++
          return line
        }
      }
      if (story.exitCode !== null)
        throw new Error(`no "${word}" in the story: ${other.slice(-20).join('\n')}`)
      await Promise.race([once(lines, 'line'), ended])
    }
  }
}
