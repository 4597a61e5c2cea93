import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../clock.ts'
import type { Driver } from '../drivers/driver.ts'
import type { DriverDeps } from '../drivers/driver-kind.ts'
import { parseNodeAddress } from '../drivers/opcua/node-address.ts'
import type { OpcUaConnection, OpcUaTag } from '../drivers/opcua/opcua-connection.ts'
import { createOpcUaDriver } from '../drivers/opcua/opcua-driver.ts'
import type { LogFields } from '../log.ts'
import type { Reading } from '../tag.ts'
import { buildTag } from './builders.ts'
import { testNamespace } from './opcua-server.ts'

export interface LogLine extends LogFields {
  event: string
}

/** A tag of the test server's variable `name`. */
export function buildOpcUaTag(name: string, fields: Partial<OpcUaTag> = {}): OpcUaTag {
  const nodeId = parseNodeAddress(`nsu=${testNamespace};s=${name}`)
  if (nodeId === null) throw new Error(`no node id: ${name}`)
  return { ...buildTag({ name }), nodeId, isTypeGiven: fields.type !== undefined, ...fields }
}

export function buildOpcUaConnection(fields: Partial<OpcUaConnection>): OpcUaConnection {
  return {
    driver: 'opcua',
    name: 'plant',
    url: '',
    security: 'none',
    policy: 'Basic256Sha256',
    trust: null,
    user: { kind: 'anonymous' },
    timeoutMs: 3_000,
    samplingIntervalMs: 20,
    times: 'source',
    pollIntervalMs: 50,
    tags: [],
    ...fields,
  }
}

export async function createTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-opcua-state-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface TestDriver {
  driver: Driver
  connection: OpcUaConnection
  /** Every reading it sent without a poll. */
  told: Reading[]
  lines: LogLine[]
  /** Number of times it learned something about its tags. */
  changes(): number
  /** Resolves when a matching reading arrives. */
  until(fits: (reading: Reading) => boolean): Promise<Reading>
  untilLog(event: string): Promise<LogLine>
}

/** Opens a driver that is closed at the test's end. */
export async function openTestDriver(
  fields: Partial<OpcUaConnection>,
  deps: Partial<DriverDeps> = {},
): Promise<TestDriver> {
  const folder = deps.stateFolder ?? (await createTestFolder())
  const told: Reading[] = []
  const lines: LogLine[] = []
  let changes = 0
  const waiting = new Set<() => void>()
  const look = (): void => {
    for (const one of [...waiting]) one()
  }
  const connection = buildOpcUaConnection(fields)
  const driver = createOpcUaDriver(connection, {
    clock: systemClock,
    log: (_level, event, more = {}) => {
      lines.push({ event, ...more })
      look()
    },
    random: Math.random,
    configFolder: folder,
    stateFolder: folder,
    onTagsChanged: () => changes++,
    ...deps,
  })
  driver.subscribe?.((readings) => {
    told.push(...readings)
    look()
  })
  onTestFinished(() => driver.close())
  const find = <T>(list: readonly T[], fits: (one: T) => boolean): Promise<T> =>
    new Promise((resolve) => {
      const attempt = (): void => {
        const found = list.find(fits)
        if (found === undefined) return
        waiting.delete(attempt)
        resolve(found)
      }
      waiting.add(attempt)
      attempt()
    })
  return {
    driver,
    connection,
    told,
    lines,
    changes: () => changes,
    until: (fits) => find(told, fits),
    untilLog: (event) => find(lines, (line) => line.event === event),
  }
}
