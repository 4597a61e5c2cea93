import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onboarding as contract } from '@busbar/contract'
import { startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { createUser } from '@busbar/testkit/builders.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const run = promisify(execFile)
const system = { x64: 'linux-x64', arm64: 'linux-arm64' }[process.arch as 'x64' | 'arm64']
const archive = `busbar-agent-1.7.0-${system}.tar.gz`

let downloads: string
let site: TestPlatform
/** Programs that stand in for those of a computer where somebody may be root. */
let bin: string
let setupUrl: string

beforeAll(async () => {
  downloads = await mkdtemp(join(tmpdir(), 'busbar-downloads-'))
  site = await startTestPlatform({ DOWNLOADS_DIR: downloads })
})
afterAll(async () => {
  await site.stop()
  await rm(downloads, { recursive: true })
})

beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), 'busbar-bin-'))
  await putProgram('id', 'echo 0')
  await offer()
  const user = await createUser(site.db)
  const { link } = await site.as(user).call(contract.connectMachine, { name: 'Press 7', kind: 'agent' })
  setupUrl = link?.setupUrl ?? ''
})
afterEach(() => rm(bin, { recursive: true }))

async function putProgram(name: string, text: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`)
  await chmod(join(bin, name), 0o755)
}

/** Offers a program whose installation notes how it was called later, behind another program for the same system. */
async function offer(): Promise<void> {
  const name = archive.replace('.tar.gz', '')
  await mkdir(join(downloads, name), { recursive: true })
  const parts = {
    'busbar-agent': '#!/bin/sh\nprintf "%s|" "$@" >"$TOLD"\n',
    'install.sh': 'cp "$(dirname "$0")/busbar-agent" "$BIN/" && chmod 755 "$BIN/busbar-agent"\n',
  }
  for (const [part, text] of Object.entries(parts)) await writeFile(join(downloads, name, part), text)
  await run('tar', ['-czf', archive, name], { cwd: downloads })
  const bytes = await readFile(join(downloads, archive))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { program: 'busbar-agent', system, file: archive, bytes: bytes.length, sha256 }
  const other = { ...file, program: 'busbar-connect', sha256: '0'.repeat(64) }
  const files = [other, file]
  await writeFile(join(downloads, 'manifest.json'), JSON.stringify({ version: '1.7.0', files }))
}

const told = () => readFile(join(bin, 'told'), 'utf8').catch(() => '')

/** Runs the line that the console shows: fetch, and pipe into a shell. */
async function runLine(url: string, args: readonly string[] = []) {
  const env = { PATH: `${bin}:${process.env.PATH}`, BIN: bin, TOLD: join(bin, 'told') }
  const line = `curl -fsSL '${url}?system=linux' | sh -s -- ${args.join(' ')}`
  try {
    const { stderr } = await run('sh', ['-c', line], { env })
    return { exitCode: 0, said: stderr }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { exitCode: code, said: stderr }
  }
}

test('the line fetches the program, checks it, installs it, and sets it up with the link', async () => {
  expect(await runLine(setupUrl, ['--networks', '192.168.3.0/24'])).toEqual({ exitCode: 0, said: '' })
  expect(await told()).toBe(`setup|${setupUrl}|--networks|192.168.3.0/24|`)
})

test('a program that was changed on the way is not installed', async () => {
  const path = join(downloads, archive)
  const bytes = await readFile(path)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  await writeFile(path, bytes)
  const { exitCode, said } = await runLine(setupUrl)
  expect(exitCode).toBe(1)
  expect(said).toContain('not installed')
  expect(said).toContain('未安装')
  expect(await told()).toBe('')
})

test('a person who is not root, and a computer without a program, are told so', async () => {
  await putProgram('id', 'echo 1000')
  expect(await runLine(setupUrl)).toMatchObject({ exitCode: 1, said: expect.stringContaining('sudo') })
  await putProgram('id', 'echo 0')
  await putProgram('uname', 'test "$1" = -s && echo Linux || echo mips')
  expect(await runLine(setupUrl)).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining('no agent for this computer'),
  })
})

test.each(['a'.repeat(43), 'cut-off'])(
  'the link …/%s says where it is piped into a shell that it is not valid',
  async (token) => {
    const { exitCode, said } = await runLine(`${site.url}/api/v1/setup/${token}`)
    expect(exitCode).toBe(1)
    expect(said).toMatch(/安装链接无效.*\nThis setup link isn’t valid/)
  },
)

test('every script is one that its shell can read, and has no secret in it', async () => {
  const { secret } = await takeSecret()
  for (const system of contract.setupSystems) {
    const script = await (await fetch(`${setupUrl}?system=${system}`)).text()
    expect(script).not.toContain(secret)
    if (system !== 'windows') await run('sh', ['-n', '-c', script])
  }
})

const takeSecret = () =>
  site.as(undefined).call(contract.takeSetupSecret, { token: setupUrl.split('/').at(-1) ?? '' })
