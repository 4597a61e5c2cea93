import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { type Mail, readMail } from './mail.ts'

const run = promisify(execFile)
const host = '127.0.0.1'
const startTimeoutMs = 10_000
const mailTimeoutMs = 30_000
/** The user that exim becomes where root starts it; any but root will do. */
const nobody = 65_534

/** The domain whose mail it delivers. */
export const mailDomain = 'plant.test'

/** A real mail server: Debian's exim4 with its own configuration, spool and mailboxes. */
export interface Exim {
  /** For SMTP_URL. */
  readonly url: string
  /** The mails delivered to an address so far, the earliest first. */
  mailsTo(address: string): Promise<Mail[]>
  /** Waits until this many were delivered to it. */
  waitForMails(address: string, count: number): Promise<Mail[]>
  log(): Promise<string>
  close(): Promise<void>
}

/**
 * Starts exim4. It wants the user of its package, which is missing if it is only unpacked: nss_wrapper gives
 * that name to the user of this process, or to `nobody` if root runs it. As `nobody` it starts itself again
 * for each delivery, so it lies with its libraries in a folder that everyone may read, because the checkout
 * may be readable only by root.
 */
export async function startExim(): Promise<Exim> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-exim-'))
  const [spool, box, libraries] = [join(dir, 'spool'), join(dir, 'mail'), join(dir, 'lib')]
  const port = await findFreePort(host)
  const isRoot = process.getuid?.() === 0
  const uid = isRoot ? nobody : process.getuid?.()
  const gid = isRoot ? nobody : process.getgid?.()
  for (const folder of [spool, box, libraries]) await mkdir(folder)
  const program = join(dir, 'exim4')
  await copyProgram(program, libraries)
  await writeFile(
    join(dir, 'passwd'),
    `root:x:0:0::/:/bin/false\nDebian-exim:x:${uid}:${gid}::/:/bin/false\n`,
  )
  await writeFile(join(dir, 'group'), `root:x:0:\nDebian-exim:x:${gid}:\n`)
  await writeFile(join(dir, 'exim.conf'), configuration(dir, port))
  if (isRoot) for (const folder of [dir, spool, box]) await chown(folder, nobody, nobody)
  await chmod(dir, 0o755)

  const child = spawn(program, ['-C', join(dir, 'exim.conf'), '-bdf'], {
    env: {
      PATH: process.env.PATH,
      LD_LIBRARY_PATH: libraries,
      LD_PRELOAD: join(libraries, 'libnss_wrapper.so'),
      NSS_WRAPPER_PASSWD: join(dir, 'passwd'),
      NSS_WRAPPER_GROUP: join(dir, 'group'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await untilListening(port)
  } catch (error) {
    await close()
    throw new Error(`exim4 did not start: ${complaints}`, { cause: error })
  }

  const log = () => readFile(join(dir, 'mainlog'), 'utf8').catch(() => '')
  async function mailsTo(address: string): Promise<Mail[]> {
    const files = await readdir(join(box, 'new')).catch(() => [])
    const mails = await Promise.all(
      files.map(async (file) => readMail(await readFile(join(box, 'new', file), 'latin1'))),
    )
    return mails.filter(({ to }) => to === address).toSorted((a, b) => a.sentAt - b.sentAt)
  }
  return {
    url: `smtp://${host}:${port}`,
    mailsTo,
    log,
    async waitForMails(address, count) {
      for (const until = Date.now() + mailTimeoutMs; Date.now() < until; await sleep(50)) {
        const mails = await mailsTo(address)
        if (mails.length >= count) return mails
      }
      const mails = await mailsTo(address)
      const subjects = mails.map(({ subject }) => subject).join('\n')
      throw new Error(`${mails.length} of ${count} mails came to ${address}:\n${subjects}\n${await log()}`)
    },
    close,
  }
}

/** Copies exim4, the name service in front of it, and those of its libraries that the system does not have. */
async function copyProgram(program: string, libraries: string): Promise<void> {
  const [exim, wrapper] = [process.env.BUSBAR_EXIM, process.env.BUSBAR_NSS_WRAPPER]
  if (!exim || !wrapper)
    throw new Error('BUSBAR_EXIM or BUSBAR_NSS_WRAPPER is not set: the tests run by npm test')
  const unpacked = resolve(exim, '../../..')
  const folders = ['usr/lib', 'lib'].flatMap((folder) =>
    ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((triplet) => join(unpacked, folder, triplet)),
  )
  const { stdout } = await run('ldd', [exim], { env: { ...process.env, LD_LIBRARY_PATH: folders.join(':') } })
  const needed = [...stdout.matchAll(/=> (\S+) \(/g)].map(([, path = '']) => path)
  const apart = unpacked === '/' ? [] : needed.filter((path) => path.startsWith(unpacked))
  for (const path of [...apart, wrapper]) await copyFile(path, join(libraries, basename(path)))
  await copyFile(exim, program)
  // An installed one may run as its owner, root.
  await chmod(program, 0o755)
}

/** One mailbox for all addresses of the domain: a name sent by a stranger must not create a folder. */
function configuration(dir: string, port: number): string {
  return `
primary_hostname = mail.${mailDomain}
exim_path = ${dir}/exim4
keep_environment = PATH : LD_LIBRARY_PATH : LD_PRELOAD : NSS_WRAPPER_PASSWD : NSS_WRAPPER_GROUP
spool_directory = ${dir}/spool
log_file_path = ${dir}/%slog
pid_file_path = ${dir}/pid
local_interfaces = ${host}
daemon_smtp_ports = ${port}
tls_advertise_hosts =
host_lookup =
rfc1413_query_timeout = 0s
deliver_drop_privilege = true
acl_smtp_rcpt = recipient
begin acl
recipient:
  accept domains = ${mailDomain}
  deny message = relay not permitted
begin routers
local:
  driver = accept
  domains = ${mailDomain}
  transport = mailbox
begin transports
mailbox:
  driver = appendfile
  directory = ${dir}/mail
  maildir_format
  create_directory
  user = Debian-exim
  group = Debian-exim
  envelope_to_add
begin retry
* * F,1h,1m
`
}

async function untilListening(port: number): Promise<void> {
  for (const until = Date.now() + startTimeoutMs; ; ) {
    const socket = connect(port, host)
    try {
      await once(socket, 'connect')
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await sleep(50)
    } finally {
      socket.destroy()
    }
  }
}
