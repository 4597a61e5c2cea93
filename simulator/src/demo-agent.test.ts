import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseConfig } from '@busbar/agent/config/parse-config.ts'
import { expect, test } from 'vitest'
import { registerMap } from './modbus-machine.ts'
import type { RegisterSpec } from './modbus-registers.ts'
import { pasteuriserPlant } from './profiles/pasteuriser-plant.ts'

test('the demo agent’s file reads every register of the map in its format', async () => {
  const file = await readFile(path.resolve(import.meta.dirname, '../demo-agent.yaml'), 'utf8')
  const [, ...entries] = file.split(/^ +- /m)
  const tags = entries.filter((entry) => entry.includes('address:'))
  const { energyExponent, ...others } = registerMap
  const specs: RegisterSpec[] = Object.values(others)
  expect(file).toContain(`factorAddress: "holding:${energyExponent.address}"`)
  for (const spec of specs) {
    const tag = tags.find((entry) => entry.includes(`"${spec.area}:${spec.address}"`)) ?? ''
    const type = spec.type === 'string' ? `"string:${(spec.registers ?? 0) * 2}"` : spec.type
    if (spec.type !== 'bool') expect(tag, `${spec.area}:${spec.address}`).toContain(`type: ${type}`)
    const hasFactor = spec.factor !== undefined && spec !== registerMap.energy
    expect(tag.includes(`factor: ${1 / (spec.factor ?? 1)}`), tag).toBe(hasFactor)
    expect(tag.includes('textEncoding: gbk'), tag).toBe(spec.textEncoding === 'gbk')
    expect(tag.includes('readOnly: false'), tag).toBe(spec.writable === true)
  }
  expect(tags).toHaveLength(specs.length)
})

async function demoConfig() {
  const template = await readFile(path.resolve(import.meta.dirname, '../demo-agent.yaml'), 'utf8')
  const values: Record<string, string> = {
    ...{ CLOUD_URL: 'mqtt://127.0.0.1:1883', TUNNEL_URL: 'ws://127.0.0.1:8080/tunnel' },
    ...{ CODE: '1729154364880872672', SECRET: 'secret', MODBUS_HOST: '127.0.0.1', MODBUS_PORT: '1502' },
  }
  return parseConfig(template.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? ''))
}

test('the page of the demo agent’s drivers could not be tried; its connections reach only the demo’s machine', async () => {
  const { remote } = await demoConfig()
  expect(remote).toEqual({
    networks: ['127.0.0.1/32'],
    ports: { 'modbus-tcp': [{ first: 1502, last: 1502 }] },
  })
})

test('tools reach the controller of the demo agent by a port', async () => {
  const { ports } = await demoConfig()
  expect(ports).toMatchObject([{ name: 'plc', kind: 'modbus', host: '127.0.0.1', port: 1502 }])
})

test("the made-up past has the agent's own variables, so that it is theirs", async () => {
  const config = await demoConfig()
  const said = config.connections.flatMap(({ tags }) =>
    tags.map(({ group, name, displayName, groupName, unit }) => ({
      group,
      name,
      displayName,
      groupName,
      unit,
    })),
  )
  expect(
    pasteuriserPlant.tags.map(({ group, name, displayName, groupName, unit }) => ({
      ...{ group, name, displayName, groupName, unit },
    })),
  ).toEqual(said)
})
