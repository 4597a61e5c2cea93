import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyServer, untilListening } from '@busbar/testkit/copied-server.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { type Mail, readMail } from './mail.ts'

const host = '127.0.0.1'
const mailTimeoutMs = 30_000

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
 * Starts exim4 as the user of its package. It starts itself again for each delivery, so that it has to lie where its user may
 * read it.
 */
export async function startExim(): Promise<Exim> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-exim-'))
  const [spool, box] = [join(dir, 'spool'), join(dir, 'mail')]
  const port = await findFreePort(host)
  const { program, owner, env } = await copyServer('BUSBAR_EXIM', { dir, user: 'Debian-exim' })
  await writeFile(join(dir, 'exim.conf'), configuration(dir, port))
  for (const folder of [spool, box]) {
    await mkdir(folder)
    await chown(folder, owner.uid, owner.gid)
  }

  const child = spawn(program, ['-C', join(dir, 'exim.conf'), '-bdf'], {
    env: { PATH: process.env.PATH, ...env },
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
