import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFolder } from '../testing/outbox-samples.ts'
import { ConfigError } from './config-text.ts'
import { loadConfig } from './load-config.ts'
import { parseConfig } from './parse-config.ts'

const yaml = (outbox: string) =>
  `cloud: { url: "mqtt://h", code: "1000000000000000001", secret: s }\nconnections: []\n${outbox}`

test('by default it is on the disk, bounded, and drops the oldest', () => {
  const expected = { disk: true, folder: null, bytesMax: 67_108_864, drop: 'oldest', syncMs: 5_000 }
  expect(parseConfig(yaml('')).outbox).toEqual(expected)
})

test.each([
  ['{ megabytesMax: 0 }', 'outbox.megabytesMax'],
  ['{ drop: all }', 'possible are oldest, newest'],
  ['{ syncMs: -1 }', 'outbox.syncMs'],
  ['{ size: 5 }', 'outbox.size is not known here'],
])('%s: %s', (outbox, message) => {
  expect(() => parseConfig(yaml(`outbox: ${outbox}`))).toThrow(ConfigError)
  expect(() => parseConfig(yaml(`outbox: ${outbox}`))).toThrow(message)
})

test('its folder is beside the configuration, or where systemd gives one, or where the file says, or nowhere', async () => {
  const folder = await createFolder()
  const path = join(folder, 'agent.yaml')
  const folderOf = async (outbox: string): Promise<string | null> => {
    await writeFile(path, yaml(outbox))
    return (await loadConfig(path)).outbox.folder
  }
  const before = process.env.STATE_DIRECTORY
  onTestFinished(() => {
    if (before === undefined) delete process.env.STATE_DIRECTORY
    else process.env.STATE_DIRECTORY = before
  })
  delete process.env.STATE_DIRECTORY
  expect(await folderOf('')).toBe(join(folder, 'outbox'))
  expect(await folderOf('outbox: { folder: queue }')).toBe(join(folder, 'queue'))
  process.env.STATE_DIRECTORY = '/var/lib/busbar-agent:/var/lib/other'
  expect(await folderOf('')).toBe('/var/lib/busbar-agent/outbox')
  expect(await folderOf('outbox: { folder: /data/queue }')).toBe('/data/queue')
  expect(await folderOf('outbox: { disk: false }')).toBeNull()
})
