import { setTimeout as sleep } from 'node:timers/promises'
import { accounts, telemetry, visits } from '@busbar/contract'
import {
  decodeSparkplugPayload,
  encodeSparkplugPayload,
  propertyKey,
  rawValue,
  SparkplugDatatype,
  type SparkplugMetric,
} from '@busbar/link'
import { PushClient, startTestPlatform, type TestMachine, type TestUser } from '@busbar/testkit'
import { type TestSite, withBuilders } from '@busbar/testkit/test-site.ts'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { RawClient } from '../gateway/raw-client.ts'

const deadlineMs = 10_000

/** A metric of a birth that may be written. */
export const writableMetric = (
  name: string,
  datatype: number,
  value: number | bigint | boolean | string,
) => ({
  name,
  datatype,
  raw: rawValue(value, datatype),
  properties: {
    readOnly: { type: SparkplugDatatype.boolean, raw: { kind: 'boolean' as const, value: false } },
  },
})

/** The same metric, its group with a name for people in each language. */
export function inNamedGroup(metric: ReturnType<typeof writableMetric>): SparkplugMetric {
  const text = (value: string) => ({
    type: SparkplugDatatype.string,
    raw: { kind: 'string' as const, value },
  })
  return {
    ...metric,
    properties: {
      ...metric.properties,
      [propertyKey.groupCn]: text('保温'),
      [propertyKey.groupEn]: text('Holding'),
    },
  }
}

/** A platform whose clock a test may move, and for each test an owner at a page, with a machine. */
export class WriteSite {
  /** The offset of the platform's clock, in ms. */
  aheadMs = 0
  site!: TestSite
  owner!: TestUser
  machine!: TestMachine
  page!: PushClient
  readonly cleanups: (() => unknown)[] = []

  async start(): Promise<void> {
    this.site = withBuilders(await startTestPlatform({}, { now: () => this.now() }))
  }

  async begin(): Promise<void> {
    this.owner = await this.site.createUser()
    this.machine = await this.site.createMachine({ owner: this.owner.userId })
    this.page = await this.openPage(this.owner)
  }

  async end(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).reverse()) await cleanup()
  }

  now(): number {
    return Date.now() + this.aheadMs
  }

  async openPage(user: TestUser): Promise<PushClient> {
    const { ticket } = await this.site.as(user).call(accounts.createPushTicket, {})
    const client = await PushClient.open(this.site.url, ticket)
    this.cleanups.push(() => client.close())
    return client
  }

  /** The machine as its HMI's vendor ships it, which speaks plain MQTT; ends with the test. */
  async openHmi(own: IClientOptions = {}): Promise<MqttClient> {
    const { code, secret } = this.machine
    const login = { username: code, password: secret, clientId: `${code}:hmi`, reconnectPeriod: 0 }
    const client = await mqtt.connectAsync(this.site.mqttUrl, { ...login, ...own })
    this.cleanups.push(() => client.endAsync(true))
    return client
  }

  /** Looks again until there is something. */
  async until<T>(look: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
    for (const end = Date.now() + deadlineMs; Date.now() < end; await sleep(10)) {
      const found = await look()
      if (found !== undefined) return found
    }
    throw new Error(`no ${what} within ${deadlineMs} ms`)
  }

  /** The machine's tag, once it has a value. */
  tagOf(name: string): Promise<telemetry.Tag> {
    return this.until(async () => {
      const { machineId } = this.machine
      const tags = await this.site.as(this.owner).call(telemetry.listTags, { machineId })
      return tags.find((tag) => tag.tag === name && tag.lastAt !== null)
    }, `tag ${name}`)
  }

  /** Waits until the platform has the value, so that a write begins with it. */
  latestIs(name: string, value: unknown): Promise<true> {
    return this.until(async () => {
      const { tagId } = await this.tagOf(name)
      const request = { machineId: this.machine.machineId, tags: [tagId] }
      const [latest] = await this.site.as(this.owner).call(telemetry.listLatest, request)
      return latest?.value === value ? true : undefined
    }, `${name} = ${value}`)
  }

  /** Writes over the API; answers the command's id. */
  async write(name: string, value: boolean | number | string, by = this.owner): Promise<number> {
    const { tagId } = await this.tagOf(name)
    const request = { machineId: this.machine.machineId, tagId, value }
    return (await this.site.as(by).call(telemetry.writeTag, request)).commandId
  }

  /** The pushed result of a command. */
  resultOf(commandId: number, page = this.page) {
    return page.find((event) =>
      event.scene === 'writeResult' && event.result.commandId === String(commandId)
        ? event.result
        : undefined,
    )
  }

  async log(): Promise<visits.WriteLogEntry[]> {
    const { machineId } = this.machine
    return (await this.site.as(this.owner).call(visits.listMachineWrites, { machineId })).list
  }

  topic(type: string): string {
    return `spBv1.0/plant/${type}/${this.machine.code}`
  }

  /** A foreign Sparkplug node that the test controls. */
  async openNode(subscriptions = ['NCMD', 'DCMD'], mqttPort = this.site.mqttPort) {
    const client = await RawClient.login(mqttPort, this.machine, {
      connect: {
        will: {
          topic: this.topic('NDEATH'),
          payload: Buffer.from(encodeSparkplugPayload({ metrics: [] })),
          qos: 1,
        },
      },
    })
    this.cleanups.push(() => client.destroy())
    if (subscriptions.length > 0) {
      client.send({
        cmd: 'subscribe',
        messageId: 1,
        subscriptions: subscriptions.map((type) => ({ topic: `${this.topic(type)}/#`, qos: 1 as const })),
      })
      await client.next('suback')
    }
    let seq = -1
    const { topic, now } = { topic: (type: string) => this.topic(type), now: () => this.now() }
    let lastAt = now()
    return {
      client,
      async publish(type: string, metrics: SparkplugMetric[], device = '') {
        // Two messages of one millisecond would be one to the store.
        lastAt = Math.max(lastAt + 1, now())
        seq = (seq + 1) % 256
        const timed = metrics.map((metric) => ({ timestamp: lastAt, ...metric }))
        const payload = Buffer.from(encodeSparkplugPayload({ timestamp: lastAt, seq, metrics: timed }))
        client.publish(`${topic(type)}${device === '' ? '' : `/${device}`}`, payload, { messageId: seq + 1 })
        await client.next('puback')
      },
      async command() {
        const packet = await client.next('publish')
        const { metrics } = decodeSparkplugPayload(packet.payload as Buffer)
        return { topic: packet.topic, metrics }
      },
    }
  }
}

/** The site of a test file, with an owner and a machine for each test. */
export function useWriteSite(): WriteSite {
  const here = new WriteSite()
  beforeAll(() => here.start())
  beforeEach(() => here.begin())
  afterEach(() => here.end())
  afterAll(() => here.site.stop())
  return here
}
