import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFolder } from '../testing/outbox-samples.ts'
import { bootId, processStart } from './boot.ts'
import { lockFolder } from './folder-lock.ts'

test('a second agent is refused with an explanation, and accepted when the first has ended', async () => {
  const folder = await createFolder()
  const unlock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(`in use by another agent (process ${process.pid})`)
  unlock()
  lockFolder(folder)()
  expect(await readdir(folder)).toEqual([])
})

test('a lock lasts as long as its process, and is free after a kill', async () => {
  const folder = await createFolder()
  const child = spawn('sleep', ['60'])
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const start = processStart(pid)
  await writeFile(join(folder, 'lock'), JSON.stringify({ boot: bootId, pid, start }))
  expect(() => lockFolder(folder)).toThrow(`process ${pid}`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockFolder(folder)
  expect(JSON.parse(await readFile(join(folder, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid })
})

test.each([
  ['an earlier boot', { boot: 'earlier', pid: process.pid, start: processStart(process.pid) }],
  ['another process of the same number', { boot: bootId, pid: process.pid, start: '1' }],
  ['a file that was cut off', null],
])('a lock of %s is taken over', async (_what, holder) => {
  const folder = await createFolder()
  await writeFile(join(folder, 'lock'), holder === null ? '{"boot":' : JSON.stringify(holder))
  lockFolder(folder)()
})
