import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@busbar/agent/clock.ts'
import { loadConfig } from '@busbar/agent/config/load-config.ts'
import { Outbox } from '@busbar/agent/outbox/outbox.ts'
import type { Sample, Tag } from '@busbar/agent/tag.ts'
import { Quality } from '@busbar/link'
import type { SampleSink } from '@busbar/platform/modules/telemetry/store/log-row.ts'
import { readLogSince } from '@busbar/platform/modules/telemetry/store/sample-log.ts'
import { type Program, startProgram } from '../e2e/src/program.ts'
import { checkout, startSite } from '../e2e/src/site.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* The agent's store and forward: how fast an outage of 1,000,000 samples is written, how large it is, and how fast the
   built agent sends it to a real platform beside its live samples, in how much memory. */

const tagsCount = 200
const samplesCount = 1_000_000
const pollMs = 1_000
/** Ten times what the agent keeps in memory: the disk takes part. */
const samplesPerTurn = 20_000
const liveTargetMs = 1_000

function agentConfig(site: { mqttUrl: string }, label: { code: string; secret: string }): string {
  const tags = Array.from({ length: tagsCount }, (_, index) => {
    return `      - { name: t${index}, signal: { kind: sine, min: 0, max: ${index + 1}, periodMs: 60000 } }`
  })
  return `
cloud: { url: "${site.mqttUrl}", code: "${label.code}", secret: "${label.secret}" }
connections:
  - driver: simulated
    pollIntervalMs: ${pollMs}
    tags:
${tags.join('\n')}
`
}

/** Writes an outage of polls, one a second, that ends now. */
async function writeOutage(configPath: string): Promise<Row[]> {
  const config = await loadConfig(configPath)
  const folder = join(config.outbox.folder ?? '', config.cloud.code)
  const outbox = await Outbox.open({
    ...config.outbox,
    folder,
    samplesMax: config.cloud.outboxSamplesMax,
    tags: config.connections.flatMap((connection): readonly Tag[] => connection.tags),
    clock: systemClock,
    log: (_level, event, fields) => {
      if (event !== 'outbox.opened') console.log(event, fields)
    },
  })
  const polls = samplesCount / tagsCount
  const firstAt = Date.now() - polls * pollMs
  const beganAt = performance.now()
  for (let poll = 0; poll < polls; poll++) {
    const at = firstAt + poll * pollMs
    const samples = Array.from({ length: tagsCount }, (_, tag): Sample => {
      return { tag, at, value: Math.sin(poll / 60 + tag) * (tag + 1), quality: Quality.good }
    })
    outbox.add(samples, false)
    if ((poll * tagsCount) % samplesPerTurn === 0) await outbox.flush()
  }
  await outbox.close()
  const seconds = (performance.now() - beganAt) / 1_000
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size)
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  return [
    {
      what: `${samplesCount.toLocaleString('en')} samples written and synced`,
      figure: `${Math.round(samplesCount / seconds).toLocaleString('en')} samples/s`,
      target: '',
    },
    {
      what: 'a sample on the disk, a float64 that is never round',
      figure: `${(bytes / samplesCount).toFixed(1)} bytes`,
      target: '',
    },
  ]
}

/** Time at which the agent logged an event, epoch ms. */
async function loggedAt(agent: Program, event: string): Promise<number> {
  for (;;) {
    const line = agent.output().match(new RegExp(`"at":"([^"]+)"[^\\n]*"event":"${event}"`))
    if (line?.[1] !== undefined) return Date.parse(line[1])
    if (agent.hasEnded()) throw new Error(`the agent ended\n${agent.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024
}

async function drainToPlatform(): Promise<Row[]> {
  const site = await startSite()
  const folder = await mkdtemp(join(tmpdir(), 'busbar-bench-outbox-'))
  try {
    const label = await site.createMachine('Outbox')
    const configPath = join(folder, 'agent.yaml')
    await writeFile(configPath, agentConfig(site, label))
    const written = await writeOutage(configPath)
    const agent = await startProgram([join(checkout, 'agent/dist/busbar-agent.mjs'), configPath])
    const onlineAt = await loggedAt(agent, 'uplink.online')
    const sentAt = await loggedAt(agent, 'uplink.backlogSent')
    const memoryMegabytes = await peakMegabytes(agent.pid)
    await agent.stop()
    const db = await site.openDatabase()
    const late = new Set<string>()
    const ages: number[] = []
    const sink: SampleSink = {
      add(tagId, _type, at, receivedAt, _quality, isLate) {
        if (isLate) late.add(`${tagId}/${at}`)
        else if (receivedAt >= onlineAt && receivedAt <= sentAt) ages.push(receivedAt - at)
      },
    }
    await readLogSince(db, 0, sink, { error: console.error })
    await db.destroy()
    const seconds = (sentAt - onlineAt) / 1_000
    return [
      ...written,
      {
        what: `backlog sent by the built agent, ${tagsCount} live samples/s beside it`,
        figure: `${Math.round(samplesCount / seconds).toLocaleString('en')} samples/s (${seconds.toFixed(1)} s)`,
        target: '',
      },
      {
        what: 'of it, stored by the platform',
        figure: `${late.size.toLocaleString('en')} of ${samplesCount.toLocaleString('en')}`,
        target: 'all',
        met: late.size === samplesCount,
      },
      {
        what: `live samples meanwhile (${ages.length.toLocaleString('en')}), from reading to arrival: p50, p99`,
        figure: `${quantile(ages, 0.5).toFixed(0)} ms, ${quantile(ages, 0.99).toFixed(0)} ms`,
        target: `< ${liveTargetMs} ms`,
        met: quantile(ages, 0.99) < liveTargetMs,
      },
      {
        what: "the agent's resident memory, at most",
        figure: `${memoryMegabytes.toFixed(0)} MB`,
        target: '< 110 MB',
        met: memoryMegabytes < 110,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
    await site.stop()
  }
}

console.log(describeMachine())
printRows(await drainToPlatform())
