import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyServer, untilListening } from '@busbar/testkit/copied-server.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'

/** A program of others that serves a port of loopback. */
export interface ForeignServer {
  readonly port: number
  stop(): Promise<void>
}

/** OpenSSH's server for one user, `plant`, who signs in by a key. */
export interface Sshd extends ForeignServer {
  /** For `ssh` and `scp`, which know the key of this server alone then, and read no files of the person's own. */
  readonly clientArgs: readonly string[]
}

/** Starts sshd with files of its own, as a user who is not root. */
export async function startSshd(): Promise<Sshd> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-sshd-'))
  const [home, hostKey, userKey] = [join(dir, 'home'), join(dir, 'host-key'), join(dir, 'user-key')]
  const [known, config] = [join(dir, 'known-hosts'), join(dir, 'config')]
  const { program, owner, env } = await copyServer('BUSBAR_SSHD', {
    ...{ dir, user: 'plant', home, shell: '/bin/sh' },
    parts: ['usr/lib/openssh/sshd-session', 'usr/lib/openssh/sshd-auth'],
  })
  for (const key of [hostKey, userKey])
    await promisify(execFile)(needed('BUSBAR_SSH_KEYGEN'), ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  await mkdir(home)
  for (const path of [home, hostKey]) await chown(path, owner.uid, owner.gid)
  await writeFile(known, `plc ${await readFile(`${hostKey}.pub`, 'utf8')}`)
  const port = await findFreePort()
  const lines = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey "${hostKey}"`,
    `AuthorizedKeysFile "${userKey}.pub"`,
    'PidFile none',
    'UsePAM no',
    'PasswordAuthentication no',
    // The folder of temporary files is writable for all.
    'StrictModes no',
    'Subsystem sftp internal-sftp',
  ]
  // OpenSSH 9.8 and later are several programs, which lie elsewhere by default.
  for (const [name, option] of [
    ['sshd-session', 'SshdSessionPath'],
    ['sshd-auth', 'SshdAuthPath'],
  ] as const)
    if (existsSync(join(dir, name))) lines.push(`${option} "${join(dir, name)}"`)
  await writeFile(config, lines.join('\n'))
  const child = spawn(program, ['-D', '-e', '-f', config], {
    ...owner,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const server = await serve(child, port, dir)
  const options = [`UserKnownHostsFile="${known}"`, 'HostKeyAlias=plc', 'IdentitiesOnly=yes', 'BatchMode=yes']
  const clientArgs = ['-F', 'none', '-i', userKey, ...options.flatMap((option) => ['-o', option])]
  return { ...server, clientArgs }
}

/** A picture of 32 bits a pixel. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** Starts x11vnc, which shows a picture as its screen. */
export async function startVncServer({ width, height, pixels }: Picture): Promise<ForeignServer> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-vnc-'))
  const screen = join(dir, 'screen')
  await writeFile(screen, pixels)
  const port = await findFreePort()
  const asScreen = ['-rawfb', `map:${screen}@${width}x${height}x32`]
  const child = spawn(
    needed('BUSBAR_X11VNC'),
    [...asScreen, '-rfbport', String(port), '-localhost', '-norc', '-nopw', '-forever'],
    { env: { ...process.env, HOME: dir, DISPLAY: '' }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  return await serve(child, port, dir)
}

/** Resolves when it listens; its folder is removed with it. */
async function serve(child: ChildProcess, port: number, dir: string): Promise<ForeignServer> {
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-2_000)
  })
  // A program that cannot be started has no end either.
  const exited = once(child, 'exit').catch(() => undefined)
  async function stop() {
    child.kill('SIGTERM')
    await exited
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await untilListening(port)
  } catch (error) {
    await stop()
    throw new Error(`${child.spawnfile} did not start: ${complaint}`, { cause: error })
  }
  return { port, stop }
}

/** A program that the tests need. @throws where it is missing */
export function needed(variable: string): string {
  const program = process.env[variable]
  if (!program) throw new Error(`${variable} is not set: the tests run by npm test`)
  return program
}
