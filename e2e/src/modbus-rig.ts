import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { registerMap, startModbusMachine } from '../../simulator/src/modbus-machine.ts'
import { type Program, startProgram } from './program.ts'
import { agentFile, type Label, type Site } from './site.ts'

/** The tag every test of a live value looks at, as the agent's configuration names it. */
export const holdTemperature = { cn: '保温温度', en: 'Holding temperature' } as const

/** The set-point of it. The agent accepts 60 to 95 °C; the controller itself 65 to 90. */
export const targetTemperature = { cn: '目标温度', en: 'Target temperature' } as const

/** As the agent's configuration names that tag to the platform. */
export const holdTemperatureTag = 'hold_temperature'

/** The agent's alarm while the hold temperature is low. */
export const lowAlarm = { cn: '温度过低', en: 'Too cold' } as const

/** A pasteuriser's PLC behind a real Modbus TCP server, and the agent process that reads it. */
export interface ModbusRig {
  /** Sets the register behind `holdTemperature`, in °C with one decimal. */
  setHoldTemperature(celsius: number): void
  /** The controller's value for `targetTemperature`, in °C. */
  targetTemperature(): number
  setAlarm(isLow: boolean): void
  startAgent(): Promise<void>
  stopAgent(): Promise<void>
  /** Ends both. */
  close(): Promise<void>
}

/** A page of another device beside the agent. */
export interface ModbusRigTarget {
  readonly name: string
  readonly url: string
  /** People who may only watch can open it. */
  readonly watchable?: boolean
}

export interface ModbusRigOptions {
  /** Replaces the site's own: `wss://…/mqtt` behind a proxy, from which the tunnel's address is derived. */
  readonly cloudUrl?: string
  readonly tunnelUrl?: string
  readonly targets?: readonly ModbusRigTarget[]
  /** Lines of `tcp` in the agent's file, with `PLC` for the address of the controller. */
  readonly ports?: readonly string[]
  /** The agent's environment. */
  readonly env?: NodeJS.ProcessEnv
}

/** Starts the PLC; the agent comes with `startAgent`. The process stands still: registers change by the test only. */
export async function startModbusRig(
  site: Pick<Site, 'mqttUrl'>,
  label: Pick<Label, 'code' | 'secret'>,
  options: ModbusRigOptions = {},
): Promise<ModbusRig> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-modbus-rig-'))
  const config = join(dir, 'agent.yaml')
  const plc = await startModbusMachine({ host: '127.0.0.1', port: await findFreePort(), moves: false })
  await writeFile(config, agentConfig(options.cloudUrl ?? site.mqttUrl, label, plc.port, options), {
    mode: 0o600,
  })
  let agent: Program | undefined
  const { holdTemp, holdTempSetPoint, lowTempAlarm } = registerMap
  return {
    setHoldTemperature: (celsius) => plc.set(holdTemp.area, holdTemp.address, celsius),
    targetTemperature: () => Number(plc.get(holdTempSetPoint.area, holdTempSetPoint.address)),
    setAlarm: (isLow) => plc.set(lowTempAlarm.area, lowTempAlarm.address, isLow),
    async startAgent() {
      agent = await startProgram([agentFile, config], options.env ? { env: options.env } : {})
    },
    async stopAgent() {
      await agent?.stop()
    },
    async close() {
      await agent?.stop()
      await plc.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function agentConfig(
  cloudUrl: string,
  label: Pick<Label, 'code' | 'secret'>,
  modbusPort: number,
  { tunnelUrl, targets = [], ports = [] }: ModbusRigOptions,
): string {
  const tcp = ports.map((port) => `  - ${port.replace('PLC', `127.0.0.1:${modbusPort}`)}`)
  const pages = targets.map(
    ({ name, url, watchable }) =>
      `  - { name: ${name}, url: "${url}", readOnly: ${watchable ? 'enforced' : 'none'} }`,
  )
  return `
cloud:
  url: ${cloudUrl}${tunnelUrl ? `\n  tunnel: ${tunnelUrl}` : ''}
  code: "${label.code}"
  secret: "${label.secret}"
properties:
  model: HX-T10
  firmware: 2.4.1
  network: ETH
connections:
  - name: pasteuriser
    driver: modbus-tcp
    host: 127.0.0.1
    port: ${modbusPort}
    pollIntervalMs: 250
    wordOrder: CDAB
    tags:
      - name: hold_temperature
        displayName: { cn: ${holdTemperature.cn}, en: ${holdTemperature.en} }
        unit: °C
        address: holding:0
        type: int16
        factor: 0.1
        scale: 1
        keyTag: true
      - name: target_temperature
        displayName: { cn: ${targetTemperature.cn}, en: ${targetTemperature.en} }
        unit: °C
        address: holding:100
        type: int16
        factor: 0.1
        scale: 1
        min: 60
        max: 95
        readOnly: false
      - name: flow
        displayName: { cn: 流量, en: Flow }
        unit: l/h
        address: holding:10
        type: float32
        scale: 0
      - name: plant_on
        displayName: { cn: 启动, en: Plant on }
        address: coil:0
      - name: batch
        displayName: { cn: 批号, en: Batch }
        address: holding:30
        type: string:16
      - name: low_temperature
        address: discrete:0
        alarm: { id: LOW-TEMP, level: critical, text: { cn: ${lowAlarm.cn}, en: ${lowAlarm.en} } }
${pages.length > 0 ? `targets:\n${pages.join('\n')}\n` : ''}${tcp.length > 0 ? `tcp:\n${tcp.join('\n')}\n` : ''}`
}
