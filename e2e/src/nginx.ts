import { execFile, spawn } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from '@busbar/testkit/free-port.ts'

const run = promisify(execFile)
const checkout = resolve(import.meta.dirname, '../..')
const host = '127.0.0.1'
const startTimeoutMs = 10_000

/** The names the example configuration is written for; tests use them as they stand. */
export const proxyNames = {
  console: 'busbar.example',
  visits: 'visits.busbar-machines.example',
} as const

/** A real nginx with the configuration an operator copies, and certificates of a test's own authority. */
export interface Nginx {
  readonly port: number
  /** MQTT over TCP with TLS, as deploy/nginx-mqtt.conf has it. */
  readonly mqttPort: number
  /** The address to which it redirects requests without TLS. */
  readonly plainPort: number
  /** The authority's certificate, PEM. */
  readonly ca: string
  /** The file it lies in. */
  readonly caFile: string
  /** The keys of the certificates, in the form in which Chromium names those to accept: SHA-256 in base64. */
  readonly keyHashes: readonly string[]
  /** The lines of all its logs. */
  readLog(): Promise<string>
  close(): Promise<void>
}

/** Starts nginx before a platform that will listen on these ports. */
export async function startNginx(platformPort: number, platformMqttPort: number): Promise<Nginx> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-nginx-'))
  const port = await findFreePort(host)
  const plainPort = await findFreePort(host)
  const mqttPort = await findFreePort(host)
  const ca = await createCertificates(dir)
  const example = await readFile(join(checkout, 'deploy/nginx.conf'), 'utf8')
  const site = example
    .replaceAll('/etc/ssl/busbar/', `${dir}/`)
    .replaceAll('/var/log/nginx/', `${dir}/`)
    .replace('listen 80;', `listen ${host}:${plainPort};`)
    .replaceAll('listen 443 ssl', `listen ${host}:${port} ssl`)
    .replaceAll('127.0.0.1:8080', `${host}:${platformPort}`)
  const mqtt = (await readFile(join(checkout, 'deploy/nginx-mqtt.conf'), 'utf8'))
    .replaceAll('/etc/ssl/busbar/', `${dir}/`)
    .replace('listen 8883', `listen ${host}:${mqttPort}`)
    .replace('node1.internal:1883', `${host}:${platformMqttPort}`)
    .replace(/ *server node2.*\n/, '')
  const close = await runNginx(dir, { http: site, main: mqtt }, port)
  const keyHashes = await Promise.all(['console.crt', 'visits.crt'].map((file) => hashKeyOf(join(dir, file))))
  const readLog = async () => {
    const logs = (await readdir(dir)).filter((file) => file.endsWith('.log'))
    return (await Promise.all(logs.map((file) => readFile(join(dir, file), 'utf8')))).join('')
  }
  return { port, mqttPort, plainPort, ca, caFile: join(dir, 'ca.crt'), keyHashes, readLog, close }
}

/**
 * Runs nginx in a folder, with a configuration of sites and one beside them (`main`); answers how to end it, which removes
 * the folder.
 */
export async function runNginx(
  dir: string,
  { http, main = '' }: { readonly http: string; readonly main?: string },
  port: number,
): Promise<() => Promise<void>> {
  await writeFile(join(dir, 'site.conf'), http)
  const stream = process.env.BUSBAR_NGINX_STREAM
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  for (const name of [...temporary, 'logs']) await mkdir(join(dir, name))
  const lines = [
    main && stream ? `load_module ${stream};` : '',
    'daemon off; master_process off; worker_processes 1;',
    `pid ${dir}/nginx.pid; error_log ${dir}/error.log warn;`,
    'events { worker_connections 512; }',
    'http {',
    // As Debian's has it: what the sites do not set themselves is logged in full.
    `  access_log ${dir}/access.log;`,
    ...temporary.map((name) => `  ${name}_temp_path ${dir}/${name};`),
    `  include ${dir}/site.conf;`,
    '}',
    main,
  ]
  await writeFile(join(dir, 'nginx.conf'), lines.join('\n'))
  const nginx = process.env.BUSBAR_NGINX
  if (!nginx) throw new Error('BUSBAR_NGINX is not set: the tests run by npm test')
  const child = spawn(nginx, ['-p', dir, '-e', join(dir, 'error.log'), '-c', join(dir, 'nginx.conf')], {
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
    throw new Error(`nginx did not start: ${complaints}`, { cause: error })
  }
  return close
}

async function hashKeyOf(file: string): Promise<string> {
  const { publicKey } = new X509Certificate(await readFile(file))
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
}

/** An authority and the two certificates the example names, one of them a wildcard. Answers the authority's. */
async function createCertificates(dir: string): Promise<string> {
  // The OPC UA driver, which other stories of this process load, leaves the word "undefined" there.
  if (process.env.OPENSSL_CONF === 'undefined') delete process.env.OPENSSL_CONF
  const openssl = (...args: string[]) => run(process.env.BUSBAR_OPENSSL ?? 'openssl', args, { cwd: dir })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl(
    ...['req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2'],
    ...['-subj', '/CN=Busbar test authority', '-addext', 'basicConstraints=critical,CA:TRUE'],
  )
  // An agent's name look-up does not know the example's names.
  const names = { console: [proxyNames.console, 'localhost'], visits: [`*.${proxyNames.visits}`] }
  for (const [file, [name, ...others]] of Object.entries(names)) {
    await openssl(
      'req',
      '-new',
      ...key,
      '-keyout',
      `${file}.key`,
      '-out',
      `${file}.csr`,
      '-subj',
      `/CN=${name}`,
    )
    const all = [name, ...others].map((one) => `DNS:${one}`).join()
    await writeFile(join(dir, `${file}.ext`), `subjectAltName=${all}\nbasicConstraints=CA:FALSE\n`)
    await openssl(
      ...['x509', '-req', '-in', `${file}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-out', `${file}.crt`, '-days', '2', '-extfile', `${file}.ext`],
    )
  }
  return readFile(join(dir, 'ca.crt'), 'utf8')
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
