import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readConfigText } from '../config/config-text.ts'
import { checkConfig } from '../config/parse-config.ts'
import { namedDrivers } from '../config/parse-connections.ts'
import { driverInterface } from './driver-kind.ts'
import { loadKinds } from './kinds.ts'

const yaml = (driver: string) => `cloud: { url: "mqtt://h", code: 0000000000000000001, secret: s }
connections:
  - { driver: simulated, tags: [{ name: a, signal: { kind: counter } }] }
  - { name: press, driver: ${driver}, rack: 2, tags: [{ name: b, place: 7 }] }
`

/** A driver's file that a test wrote, and the configuration checked with it. */
async function withFile(code: string | null, driver = 's7') {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-driver-'))
  try {
    const path = join(folder, 's7.mjs')
    if (code !== null) await writeFile(path, code)
    const text = readConfigText(yaml(driver))
    const asked: string[] = []
    const kinds = await loadKinds(namedDrivers(text), (kind) => {
      asked.push(kind)
      return pathToFileURL(path)
    })
    const config = () => checkConfig(text, kinds)
    return { path, asked, config }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const kindCode = (version: number) => `export default {
  driverInterface: ${version},
  kind: 's7',
  parseConnection: (fields) => ({ rack: fields.integer('rack', 0, 7) }),
  parseTag: (fields) => ({ name: fields.requiredText('name', 64), group: '', place: fields.integer('place', 0, 9) }),
  open: () => { throw new Error('not here') },
}`

test('a file of a driver is loaded where the configuration names it, and reads its part of it', async () => {
  const { asked, config } = await withFile(kindCode(driverInterface))
  expect(asked).toEqual(['s7'])
  expect(config().connections[1]).toEqual({
    driver: 's7',
    name: 'press',
    pollIntervalMs: 1_000,
    rack: 2,
    tags: [{ name: 'b', group: '', place: 7 }],
  })
  expect((await withFile(null, 'simulated')).asked).toEqual([])
})

test('a missing, foreign or broken file of a driver is a start error that names file and connection', async () => {
  const problemOf = async (code: string | null) => {
    const { path, config } = await withFile(code)
    const told = (reason: string) =>
      `line 4: connections[1].driver is "s7", whose file ${reason}: ${path} (needed by "press")`
    return { told, config }
  }
  const missing = await problemOf(null)
  expect(missing.config).toThrow(missing.told('is missing'))
  const foreign = await problemOf(kindCode(driverInterface + 1))
  expect(foreign.config).toThrow(foreign.told('is of another version of the agent'))
  const broken = await problemOf('throw new Error("half of a file")')
  expect(broken.config).toThrow(broken.told('cannot be loaded: half of a file'))
})
