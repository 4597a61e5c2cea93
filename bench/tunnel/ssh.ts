import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { runCommand } from '../../tools/run-command.mjs'
import { awaitPort } from '../src/await-port.ts'

const host = '127.0.0.1'

/** A port whose connections reach a page through `ssh -R`. */
export interface SshTunnel {
  readonly port: number
  /** Of the server and the client. */
  readonly pids: readonly number[]
  stop(): Promise<void>
}

/** A separate sshd, and the files that its clients need. */
export interface SshServer {
  readonly port: number
  /** Opens `ssh -R` to the page; `throughPort` if another port leads to the sshd. */
  openTunnel(pagePort: number, throughPort?: number): Promise<SshTunnel>
  /** The same by `ssh -L`: a port here leads to one beside the sshd. */
  openLocal(toPort: number, throughPort?: number): Promise<SshTunnel>
  stop(): Promise<void>
}

/** Starts an sshd on a free loopback port, with new keys; undefined if it is not installed. */
export async function startSshServer(): Promise<SshServer | undefined> {
  const program = findProgram('sshd')
  if (!program || !findProgram('ssh') || !findProgram('ssh-keygen')) return undefined
  const dir = await mkdtemp(join(tmpdir(), 'busbar-ssh-'))
  const [hostKey, userKey, config] = ['host-key', 'user-key', 'sshd-config'].map((name) =>
    join(dir, name),
  ) as [string, string, string]
  for (const file of [hostKey, userKey]) {
    const made = await runCommand('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
    if (made.code !== 0) throw new Error(made.output)
  }
  const port = await findFreePort(host)
  const settings = [
    `ListenAddress ${host}`,
    `Port ${port}`,
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${userKey}.pub`,
    'PidFile none',
    'UsePAM no',
    // The folder is below one that everyone may write to.
    'StrictModes no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    // It would log each check whether it listens.
    'LogLevel QUIET',
  ]
  await writeFile(config, `${settings.join('\n')}\n`)
  const server = spawn(program, ['-D', '-e', '-f', config], { stdio: ['ignore', 'inherit', 'inherit'] })
  await awaitPort(port, server)
  const forward = async (way: '-L' | '-R', toPort: number, throughPort: number) => {
    const listenPort = await findFreePort(host)
    const options = {
      StrictHostKeyChecking: 'no',
      UserKnownHostsFile: '/dev/null',
      IdentitiesOnly: 'yes',
      ExitOnForwardFailure: 'yes',
      LogLevel: 'ERROR',
      // The fastest cipher if the processor has AES, for a fair comparison.
      Ciphers: 'aes128-gcm@openssh.com',
    }
    const args = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const address = `${host}:${listenPort}:${host}:${toPort}`
    const client = spawn(
      'ssh',
      ['-F', '/dev/null', '-N', '-i', userKey, ...args, '-p', String(throughPort), way, address].concat(
        `${userInfo().username}@${host}`,
      ),
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
    await awaitPort(listenPort, client)
    const pids = [server.pid ?? 0, client.pid ?? 0]
    return { port: listenPort, pids, stop: () => end(client) }
  }
  return {
    port,
    openTunnel: (pagePort, throughPort = port) => forward('-R', pagePort, throughPort),
    openLocal: (toPort, throughPort = port) => forward('-L', toPort, throughPort),
    async stop() {
      await end(server)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A program's path; sshd is in a folder for administrators, and requires its whole path. */
function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const exited = once(program, 'exit')
  program.kill()
  await exited
}
