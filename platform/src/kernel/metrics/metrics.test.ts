import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts } from '@busbar/contract'
import {
  createMachine,
  createUser,
  openTestTunnel,
  PushClient,
  startTestPlatform,
  type TestPlatform,
} from '@busbar/testkit'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ParsedFamily, parseExposition } from '../../../test-support/metrics/parse-exposition.ts'
import { silentLogger } from '../logger.ts'
import { Histogram } from './histogram.ts'
import { readTicks, secondsSince } from './latency-clock.ts'
import { counter, formatMetrics, gauge, histogram } from './metric.ts'
import { isOwnHost, type MetricsServer, startMetricsServer } from './metrics-server.ts'

describe('the text format', () => {
  it('escapes characters that would break a line, and leaves out metrics without series', () => {
    const text = formatMetrics([
      gauge('a_bytes', 'one\nline \\', [{ labels: { route: 'a"b\\c\nd' }, value: 1.5e-7 }]),
      counter('none_total', 'nothing', []),
    ])
    expect(text).toBe(
      '# HELP a_bytes one\\nline \\\\\n# TYPE a_bytes gauge\na_bytes{route="a\\"b\\\\c\\nd"} 1.5e-7\n',
    )
    expect(parseExposition(text).size).toBe(1)
  })

  it('counts an observation in every bucket at or above it', () => {
    const seconds = new Histogram([0.1, 1])
    for (const value of [0.1, 0.5, 7]) seconds.observe(value)
    expect(
      formatMetrics([histogram('x_seconds', 'x', [{ labels: { a: 'b' }, histogram: seconds }])]),
    ).toContain(
      'x_seconds_bucket{a="b",le="0.1"} 1\nx_seconds_bucket{a="b",le="1"} 2\nx_seconds_bucket{a="b",le="+Inf"} 3\n' +
        'x_seconds_sum{a="b"} 7.6\nx_seconds_count{a="b"} 3\n',
    )
  })

  it.each([
    ['no TYPE', 'a 1\n'],
    ['a counter without _total', '# HELP a x\n# TYPE a counter\na 1\n'],
    ['milliseconds', '# HELP a_ms x\n# TYPE a_ms gauge\na_ms 1\n'],
    ['a family in two pieces', '# HELP a x\n# TYPE a gauge\na 1\n# HELP a x\n# TYPE a gauge\na{b="c"} 1\n'],
    ['a series twice', '# HELP a x\n# TYPE a gauge\na 1\na 1\n'],
    ['a quote that is not escaped', '# HELP a x\n# TYPE a gauge\na{b="c"d"} 1\n'],
    ['NaN', '# HELP a x\n# TYPE a gauge\na NaN\n'],
    [
      'buckets that shrink',
      '# HELP a_seconds x\n# TYPE a_seconds histogram\na_seconds_bucket{le="1"} 2\na_seconds_bucket{le="+Inf"} 1\na_seconds_sum 1\na_seconds_count 1\n',
    ],
    [
      'a count that is not the last bucket',
      '# HELP a_seconds x\n# TYPE a_seconds histogram\na_seconds_bucket{le="+Inf"} 1\na_seconds_sum 1\na_seconds_count 2\n',
    ],
  ])('the parser of this test notices %s', (_, text) => {
    expect(() => parseExposition(text)).toThrow()
  })

  it('the latency clock measures across the wrap of its 32 bits', () => {
    expect(secondsSince(readTicks() - 25)).toBeCloseTo(0.0025, 2)
    expect(secondsSince((readTicks() - 2 ** 31 + 10) | 0)).toBeGreaterThan(200_000)
  })
})

describe('a name that leads here reads no metrics', () => {
  it.each([
    ['127.0.0.1:9464', '127.0.0.1', true],
    ['localhost:9464', '127.0.0.1', true],
    ['[::1]:9464', '::1', true],
    ['10.0.0.5:9464', '10.0.0.5', true],
    ['metrics.inside:9464', 'metrics.inside', true],
    ['172.18.0.2:9464', '0.0.0.0', true],
    ['[fd00::2]', '::', true],
    ['10.0.0.6:9464', '10.0.0.5', false],
    ['rebound.example:9464', '127.0.0.1', false],
    ['rebound.example:9464', '0.0.0.0', false],
    ['127.0.0.1.example', '0.0.0.0', false],
    [undefined, '0.0.0.0', false],
  ] as const)('Host %s where %s is listened on: %s', (header, listeningOn, isAnswered) => {
    expect(isOwnHost(header, listeningOn)).toBe(isAnswered)
  })
})

describe('/metrics of a platform', () => {
  let site: TestPlatform
  let server: MetricsServer
  let folder: string

  beforeAll(async () => {
    site = await startTestPlatform()
    folder = await mkdtemp(join(tmpdir(), 'busbar-metrics-'))
    server = await startMetricsServer({
      host: '127.0.0.1',
      port: 0,
      dataDir: '/tmp',
      backupNote: join(folder, 'last-backup'),
      logger: silentLogger,
      collect: () => site.platform.metrics(),
    })
  })
  afterAll(async () => {
    await server.stop()
    await site.stop()
    await rm(folder, { recursive: true })
  })

  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    return parseExposition(await answer.text())
  }
  const read = (families: Map<string, ParsedFamily>, key: string): number =>
    families.get(key.replace(/\{.*/, ''))?.series.get(key) ??
    families.get(key.replace(/_count$/, ''))?.series.get(key) ??
    0

  it('shows the effects of load, with counters that only grow, and no personal names', async () => {
    const user = await createUser(site.db)
    const machine = await createMachine(site.db, { owner: user.userId })
    const before = await scrape()

    const client = await connectAsync(site.mqttUrl, {
      username: machine.code,
      password: machine.secret,
      clientId: machine.code,
    })
    await openTestTunnel(site, machine, (stream) => void stream.close())
    const page = await PushClient.open(site.url, user.token)
    page.watch(machine.machineId)
    await expect.poll(() => site.platform.hub.stats().watches, { timeout: 10_000 }).toBe(1)
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        client.publishAsync('v1/devices/me/telemetry', JSON.stringify({ n }), { qos: 1 }),
      ),
    )
    await page.find((event) => (event.scene === 'values' ? true : undefined))
    const posted = await fetch(`${site.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${machine.code}:${machine.secret}`)}` },
      body: '{"posted":1}',
    })
    expect(posted.status).toBe(200)
    await fetch(`${site.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${machine.code}:x`)}` },
    })
    await site.as(user).call(accounts.selectInfo, {})
    await fetch(`${site.url}/no/such/${machine.code}?a=b`, { method: 'POST' })

    const after = await scrape()
    for (const [name, { type, series }] of before) {
      if (type === 'gauge') continue
      for (const [key, value] of series)
        expect(after.get(name)?.series.get(key), key).toBeGreaterThanOrEqual(value)
    }
    expect(read(after, 'busbar_ingest_messages_total{transport="tcp"}')).toBe(50)
    expect(read(after, 'busbar_ingest_messages_total{transport="http"}')).toBe(1)
    expect(read(after, 'busbar_ingest_samples_total')).toBe(51)
    expect(read(after, 'busbar_ingest_acknowledge_seconds_count')).toBe(50)
    expect(read(after, 'busbar_commit_seconds_count')).toBeGreaterThan(0)
    expect(read(after, 'busbar_machine_logins_refused_total')).toBe(1)
    expect(read(after, 'busbar_mqtt_connections{transport="tcp"}')).toBe(1)
    expect(read(after, 'busbar_machines_online')).toBe(1)
    expect(read(after, 'busbar_push_sockets')).toBe(1)
    expect(read(after, 'busbar_push_frames_total')).toBeGreaterThan(0)
    expect(read(after, 'busbar_push_bytes_total')).toBeGreaterThan(0)
    expect(read(after, 'busbar_tunnels')).toBe(1)
    expect(read(after, 'busbar_tunnel_sent_bytes_total')).toBeGreaterThan(0)
    expect(read(after, 'busbar_tunnel_received_bytes_total')).toBeGreaterThan(0)
    const ingest = 'method="POST",route="/api/v1/ingest"'
    expect(read(after, `busbar_http_requests_total{${ingest},status="2xx"}`)).toBe(1)
    expect(read(after, `busbar_http_requests_total{${ingest},status="4xx"}`)).toBe(1)
    expect(read(after, 'busbar_http_requests_total{method="any",route="unmatched",status="4xx"}')).toBe(1)
    expect(read(after, 'busbar_rights_read_age_seconds')).toBeLessThan(5)
    expect(read(after, 'process_open_fds')).toBeGreaterThan(10)
    expect(read(after, 'busbar_data_disk_free_bytes')).toBeGreaterThan(0)
    const names = [...after.values()].flatMap(({ series }) => [...series.keys()]).join('\n')
    expect(names).not.toContain(machine.code)
    expect(names).not.toMatch(/machineId|userId|127\.0\.0\.1/)
    page.close()
    await client.endAsync()
  })

  it('knows the last backup, the connections of the server, and jobs that wait', async () => {
    expect(read(await scrape(), 'busbar_backup_made_seconds')).toBe(0)
    await writeFile(join(folder, 'last-backup'), '')
    expect(read(await scrape(), 'busbar_backup_made_seconds')).toBeGreaterThan(Date.now() / 1_000 - 60)
    const open = async () => read(await scrape(), 'busbar_database_server_connections{database="main"}')
    await expect.poll(open).toBeGreaterThan(0)
    const families = await scrape()
    expect(read(families, 'busbar_database_server_connections_max{database="main"}')).toBeGreaterThan(100)
    expect(families.get('busbar_jobs_waiting')?.series.has('busbar_jobs_waiting{queue="email"}')).toBe(true)
  })

  it('has every metric of the alerts, and the guide explains what to do about each', async () => {
    const checkout = join(import.meta.dirname, '../../../..')
    const rules = await readFile(join(checkout, 'deploy/alerts.yml'), 'utf8')
    const guide = await readFile(join(checkout, 'docs/operations.md'), 'utf8')
    // Of certificates and of several nodes, which this platform does not have.
    const elsewhere = ['busbar_certificate_expires_seconds', 'busbar_permits_refused_total']
    const families = [...(await scrape()).keys(), ...elsewhere]
    const asked = rules.match(/\b(?:busbar|process|nodejs)_\w+/g) ?? []
    const missing = asked.filter((name) => !families.includes(name.replace(/_bucket$/, '')))
    expect(asked.length).toBeGreaterThan(15)
    expect(missing).toEqual([])
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    expect([...guide.matchAll(/^### (Busbar\w+)$/gm)].map(([, name]) => name)).toEqual(alerts)
  })

  it('answers nothing but /metrics', async () => {
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${server.port}/metrics`, { method: 'POST' })).status).toBe(405)
  })
})
