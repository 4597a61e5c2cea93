import { startAgent } from '@busbar/agent/agent.ts'
import { systemClock } from '@busbar/agent/clock.ts'
import { parseConfig } from '@busbar/agent/config/parse-config.ts'

/**
 * Starts a real agent in this process, reading one Modbus device every 50 ms. `tagsYaml` are the entries of
 * its list of tags, one per line: `- { name: …, address: "holding:10" }`.
 */
export async function startTestAgent(options: {
  mqttUrl: string
  machine: { readonly code: string; readonly secret: string }
  modbusPort: number
  tagsYaml: readonly string[]
}): Promise<{ stop(): Promise<void> }> {
  const config = parseConfig(`
cloud: { url: "${options.mqttUrl}", code: "${options.machine.code}", secret: "${options.machine.secret}" }
connections:
  - driver: modbus-tcp
    host: 127.0.0.1
    port: ${options.modbusPort}
    pollIntervalMs: 50
    tags:
${options.tagsYaml.map((line) => `      ${line}`).join('\n')}
`)
  const { secretFile: _, ...cloud } = config.cloud
  return startAgent(
    {
      ...config,
      cloud: { ...cloud, secret: options.machine.secret },
      folders: { config: '.', driverState: '.', remote: '.' },
    },
    { clock: systemClock, log: () => undefined, random: Math.random },
  )
}
