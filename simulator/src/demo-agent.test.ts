import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { registerMap } from './modbus-machine.ts'
import type { RegisterSpec } from './modbus-registers.ts'

test("the demo agent's file reads every register of the map as what it is", async () => {
  const file = await readFile(path.resolve(import.meta.dirname, '../demo-agent.yaml'), 'utf8')
  const tags = file.split(/^ +- /m).filter((entry) => entry.includes('address:'))
  const specs: RegisterSpec[] = Object.values(registerMap)
  for (const spec of specs) {
    const tag = tags.find((entry) => entry.includes(`"${spec.area}:${spec.address}"`)) ?? ''
    const type = spec.type === 'string' ? `"string:${(spec.registers ?? 0) * 2}"` : spec.type
    if (spec.type !== 'bool') expect(tag, `${spec.area}:${spec.address}`).toContain(`type: ${type}`)
    expect(tag.includes(`factor: ${1 / (spec.factor ?? 1)}`), tag).toBe(spec.factor !== undefined)
    expect(tag.includes('readOnly: false'), tag).toBe(spec.writable === true)
  }
  expect(tags).toHaveLength(specs.length)
})
