import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMachine, type TestMachine } from '@busbar/testkit/builders.ts'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { WebSocketServer } from 'ws'
import { createGateway, type Gateway } from '../../src/edge/gateway.ts'
import { type BusEvents, createLocalBus } from '../../src/kernel/bus/bus.ts'
import type { Logger } from '../../src/kernel/logger.ts'
import { createTelemetry, type Telemetry } from '../../src/modules/telemetry/index.ts'
import { listLogged } from '../telemetry/logged-samples.ts'

/** A gateway on a separate database, listening on free loopback ports. */
export interface TestGateway {
  readonly database: TestDatabase
  readonly telemetry: Telemetry
  readonly gateway: Gateway
  readonly port: number
  readonly url: string
  readonly webSocketUrl: string
  /** Log entries, newest last. */
  readonly logged: { level: string; message: string; fields: Record<string, unknown> }[]
  readonly presenceEvents: BusEvents['presence'][]
  readonly valueEvents: BusEvents['values'][]
  createMachine(): Promise<TestMachine>
  /** The stored samples of a machine, in the order of time. */
  samples(machineId: number): Promise<StoredSample[]>
  /** The messages that were refused at least in part, oldest first. */
  rawMessages(machineId: number): Promise<{ topic: string; verdict: string; detail: string; bytes: number }[]>
  stop(): Promise<void>
}

export interface StoredSample {
  readonly group: string
  readonly tag: string
  readonly type: string
  readonly at: number
  readonly quality: number
  readonly late: boolean
  readonly value: number | string | null
}

/** Starts a gateway with its store; `wrapTelemetry` stands between the two. */
export async function startTestGateway(
  options: {
    wrapTelemetry?: (telemetry: Telemetry) => Telemetry
    now?: () => number
    ticks?: () => number
    hostId?: string
    after?: (ms: number, run: () => void) => () => void
    machineValuesPerS?: number
    isProxy?: (address: string) => boolean
  } = {},
): Promise<TestGateway> {
  const now = options.now ?? Date.now
  const database = await createTestDatabase({ poolMax: 6 })
  const { db } = database
  const logged: TestGateway['logged'] = []
  const log = (level: string) => (fields: object, message: string) => {
    logged.push({ level, message, fields: { ...fields } })
  }
  const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const bus = createLocalBus(logger)
  const presenceEvents: BusEvents['presence'][] = []
  const valueEvents: BusEvents['values'][] = []
  bus.subscribe('presence', (event) => presenceEvents.push(event))
  bus.subscribe('values', (event) => valueEvents.push(event))
  const telemetry = createTelemetry({ db, bus, logger, now })
  await telemetry.start()
  const gateway = createGateway({
    db,
    bus,
    logger,
    telemetry: options.wrapTelemetry?.(telemetry) ?? telemetry,
    now,
    isProxy: options.isProxy,
    ...(options.ticks ? { ticks: options.ticks } : {}),
    ...(options.hostId ? { hostId: options.hostId } : {}),
    ...(options.after ? { after: options.after } : {}),
    ...(options.machineValuesPerS ? { machineValuesPerS: options.machineValuesPerS } : {}),
  })
  const port = await gateway.start({ host: '127.0.0.1', port: 0 })
  const http = createServer()
  const webSockets = new WebSocketServer({
    server: http,
    autoPong: false,
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false),
  })
  webSockets.on('connection', (ws) => {
    const newcomer = gateway.admit('127.0.0.1')
    if (newcomer) gateway.acceptWebSocket(ws, '127.0.0.1', newcomer)
    else ws.terminate()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    database,
    telemetry,
    gateway,
    port,
    url: `mqtt://127.0.0.1:${port}`,
    webSocketUrl: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/mqtt`,
    logged,
    presenceEvents,
    valueEvents,
    createMachine: () => createMachine(db),
    samples: (machineId) => listSamples(db, machineId),
    rawMessages: (machineId) =>
      db
        .selectFrom('raw_messages')
        .select(['topic', 'verdict', 'detail', 'bytes'])
        .where('machine_id', '=', machineId)
        .orderBy('id')
        .execute(),
    async stop() {
      await gateway.stop()
      await telemetry.stop()
      webSockets.close()
      await new Promise((resolve) => http.close(resolve))
      await database.drop()
    },
  }
}

async function listSamples(db: TestDatabase['db'], machineId: number): Promise<StoredSample[]> {
  const samples = await listLogged(db, machineId)
  return samples
    .sort((a, b) => a.at.getTime() - b.at.getTime() || a.tagId - b.tagId)
    .map(({ group, name, type, at, quality, late, num, int, text }) => ({
      group,
      tag: name,
      type,
      at: at.getTime(),
      quality,
      late,
      value: num ?? (int === null ? text : Number(int)),
    }))
}
