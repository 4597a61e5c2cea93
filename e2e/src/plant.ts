import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerMap, startModbusMachine } from '../../simulator/src/modbus-machine.ts'
import { type Program, startProgram } from './program.ts'
import { agentFile, type Label, type Site } from './site.ts'

/** The tag every test of a live value looks at, as the agent's configuration names it. */
export const holdTemperature = { cn: '保温温度', en: 'Holding temperature' } as const

/** A pasteuriser's PLC behind a real Modbus TCP server, and the agent process that reads it. */
export interface Plant {
  /** Puts the register behind `holdTemperature`, in °C with one decimal. */
  setHoldTemperature(celsius: number): void
  startAgent(): Promise<void>
  stopAgent(): Promise<void>
  /** Ends both. */
  close(): Promise<void>
}

/** Starts the PLC; the agent comes with `startAgent`. The process stands still: registers change by the test only. */
export async function startPlant(site: Site, label: Label): Promise<Plant> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-plant-'))
  const config = join(dir, 'agent.yaml')
  const plc = await startModbusMachine({ host: '127.0.0.1', port: 0, moves: false })
  await writeFile(config, agentConfig(site, label, plc.port), { mode: 0o600 })
  let agent: Program | undefined
  const { area, address } = registerMap.holdTemp
  return {
    setHoldTemperature: (celsius) => plc.set(area, address, celsius),
    async startAgent() {
      agent = await startProgram([agentFile, config])
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

function agentConfig(site: Site, label: Label, modbusPort: number): string {
  return `
cloud:
  url: ${site.mqttUrl}
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
`
}
