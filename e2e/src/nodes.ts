import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestAuthority } from '@busbar/testkit/cluster.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { TestNats } from '@busbar/testkit/nats-server.ts'
import { runNginx } from './nginx.ts'
import { type Program, startProgram } from './program.ts'

const host = '127.0.0.1'
/** Two that hold machines, one for people, one for machines' pages and jobs. */
const rolesOfNodes = ['edge', 'edge', 'api,realtime', 'visits,jobs'] as const

/** A platform of several processes, one proxy in front of them, as docs/operations.md describes it. */
export interface Nodes {
  /** Starts the processes; the first is the one that is asked for. */
  start(): Promise<Program[]>
  /** Ends what lies between them, after the processes. */
  close(): Promise<void>
}

/**
 * Prepares NATS, certificates and the proxy. `env`: the settings that all nodes share; its PORT and MQTT_PORT are those
 * of the proxy.
 */
export async function openNodes(main: string, env: Readonly<Record<string, string>>): Promise<Nodes> {
  const { PORT = '', MQTT_PORT = '', DATA_DIR = '' } = env
  const [nats, authority] = await Promise.all([TestNats.start(), createTestAuthority()])
  const files = { NODE_CA_FILE: 'nodes-ca.pem', NODE_CERT_FILE: 'node.pem', NODE_KEY_FILE: 'node.key' }
  const inDir = (name: string) => join(DATA_DIR, name)
  const nodes: Record<string, string>[] = []
  for (const [place, ROLES] of rolesOfNodes.entries()) {
    const dir = inDir(`node-${place}`)
    await mkdir(dir)
    const credentials = await authority.sign(`node-${place}`)
    await Promise.all([
      writeFile(join(dir, files.NODE_CA_FILE), credentials.ca),
      writeFile(join(dir, files.NODE_CERT_FILE), credentials.cert),
      writeFile(join(dir, files.NODE_KEY_FILE), credentials.key, { mode: 0o600 }),
    ])
    nodes.push({
      ...env,
      ...Object.fromEntries(Object.entries(files).map(([setting, name]) => [setting, join(dir, name)])),
      ROLES,
      NATS_URL: nats.url,
      DATABASE_POOL: '10',
      DATA_DIR: dir,
      SECRETS_KEY_FILE: inDir('secrets.key'),
      AUDIT_KEY_FILE: inDir('audit.key'),
      FILES_DIR: inDir('files'),
      PORT: String(await findFreePort(host)),
      MQTT_PORT: String(await findFreePort(host)),
    })
  }
  await authority.remove()
  const portsOf = (setting: 'PORT' | 'MQTT_PORT') => nodes.map((node) => Number(node[setting]))
  const [left = 0, right = 0, people = 0, visits = 0] = portsOf('PORT')
  const proxyDir = await mkdtemp(join(tmpdir(), 'busbar-nodes-proxy-'))
  const ports = { edges: [left, right], people, visits }
  const closeProxy = await runNginx(proxyDir, { http: proxyConfig(Number(PORT), ports) }, Number(PORT))
  const balancer = await balance(Number(MQTT_PORT), portsOf('MQTT_PORT').slice(0, 2))
  return {
    start: () =>
      Promise.all(
        nodes.map((node) => startProgram([main], { env: node, isReady: ({ type }) => type === 'ready' })),
      ),
    async close() {
      balancer.close()
      await closeProxy()
      await nats.stop()
      await rm(proxyDir, { recursive: true, force: true })
    },
  }
}

interface Ports {
  readonly edges: readonly number[]
  readonly people: number
  readonly visits: number
}

/** The paths of docs/operations.md; browsers of tests name their own addresses. */
function proxyConfig(port: number, { edges, people, visits }: Ports): string {
  return `
access_log off;
map $http_upgrade $busbar_connection { default upgrade; "" ""; }
upstream busbar_edge { ${edges.map((edge) => `server ${host}:${edge};`).join(' ')} }
proxy_http_version 1.1;
proxy_set_header Host $http_host;
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
proxy_set_header Upgrade $http_upgrade;
proxy_set_header Connection $busbar_connection;
proxy_read_timeout 300s;
proxy_send_timeout 300s;
proxy_request_buffering off;
proxy_buffering off;
client_max_body_size 0;
server {
  listen ${host}:${port} default_server;
  location ~ ^/(mqtt|tunnel|api/v1/ingest)$ { proxy_pass http://busbar_edge; }
  location = /visit/authorize { proxy_pass http://${host}:${visits}; }
  location / { proxy_pass http://${host}:${people}; }
}
server {
  listen ${host}:${port};
  server_name *.visit.localhost;
  location / { proxy_pass http://${host}:${visits}; }
}
`
}

/** Passes each connection to the next of the ports. */
async function balance(port: number, targets: readonly number[]): Promise<Server> {
  let next = 0
  const server = createServer((socket) => {
    const target = connect(targets[next++ % targets.length] ?? 0, host)
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return server
}
