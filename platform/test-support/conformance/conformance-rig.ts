import type { TestMachine } from '@busbar/testkit/builders.ts'
import { it } from 'vitest'
import type { RefusedTags, Telemetry } from '../../src/modules/telemetry/index.ts'
import { startTestGateway, type TestGateway } from '../gateway/test-gateway.ts'
import { type ConnectFields, connect, type Version } from './wire.ts'
import { WireClient } from './wire-client.ts'

/** A commit the test decides about. */
export interface HeldCommit {
  resolve(refused: RefusedTags): void
  reject(error: Error): void
}

export interface ConformanceRig {
  readonly test: TestGateway
  /** While set, commits wait in it for the test. */
  held: HeldCommit[] | undefined
  /** The gateway's clock for silence, in milliseconds. */
  ticks: number
  /** A machine's CONNECT, correct except for these fields. */
  connect(version: Version, machine: TestMachine, fields?: ConnectFields): Buffer
  /** A client whose CONNACK has come, and its machine. */
  login(version: Version, fields?: ConnectFields): Promise<{ client: WireClient; machine: TestMachine }>
  /** Logs in, sends bytes, and answers all that comes until the platform closes. */
  fate(version: Version, ...bytes: readonly Uint8Array[]): Promise<string[]>
  /** Sends a first packet; answers all that comes until the platform closes. */
  refusal(bytes: Uint8Array): Promise<string[]>
}

/** A gateway whose store and clock the tests hold. */
export async function startConformanceRig(): Promise<ConformanceRig> {
  const hold = (telemetry: Telemetry): Telemetry =>
    new Proxy(telemetry, {
      get(target, key) {
        const { held } = rig
        if (key === 'append' && held) {
          return () => new Promise<RefusedTags>((resolve, reject) => held.push({ resolve, reject }))
        }
        const value = Reflect.get(target, key, target) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const rig = { held: undefined as HeldCommit[] | undefined, ticks: 0 }
  const test = await startTestGateway({ wrapTelemetry: hold, ticks: () => rig.ticks })
  let address = 0
  // Failed logins slow an address down: each of them comes from a different one.
  const openStranger = () => WireClient.openTcp(test.port, `127.0.9.${1 + (address++ % 250)}`)
  const connectOf = (version: Version, machine: TestMachine, fields: ConnectFields = {}) =>
    connect(version, {
      clientId: machine.code,
      userName: machine.code,
      password: machine.secret,
      ...fields,
    })
  const login = async (version: Version, fields: ConnectFields = {}) => {
    const machine = await test.createMachine()
    const client = await WireClient.openTcp(test.port)
    client.send(connectOf(version, machine, fields))
    await client.next()
    return { client, machine }
  }
  return Object.assign(rig, {
    test,
    connect: connectOf,
    login,
    async fate(version: Version, ...bytes: readonly Uint8Array[]) {
      const { client } = await login(version)
      client.send(...bytes)
      return client.rest()
    },
    async refusal(bytes: Uint8Array) {
      const client = await openStranger()
      client.send(bytes)
      return client.rest()
    },
  })
}

/** A test of MQTT 3.1.1 and of 5. */
export function both(title: string, body: (version: Version) => Promise<void>): void {
  it(`${title}, MQTT 3.1.1`, () => body(4))
  it(`${title}, MQTT 5`, () => body(5))
}
