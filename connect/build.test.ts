import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildConnect } from './build.mjs'

const kilobytesMax = 160

/** Every Node on this machine, one of each major version: the program is for 20 and later. */
function nodePrograms(): [string, string][] {
  const programs = new Map<string, string>([[process.versions.node.split('.')[0] ?? '', process.execPath]])
  for (const place of [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']) {
    const path = join(place, 'node')
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    const major = /^v(\d+)/.exec(stdout ?? '')?.[1] ?? ''
    if (Number(major) >= 20 && !programs.has(major)) programs.set(major, path)
  }
  return [...programs]
}

let file = ''
beforeAll(async () => {
  file = await buildConnect()
})

test.each(nodePrograms())('one file runs in Node %s', (_, node) => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
  expect(execFileSync(node, [file, '--version'], { encoding: 'utf8' })).toBe(`${version}\n`)
  const wrong = spawnSync(node, [file, 'open', '--lang', 'cn'], { encoding: 'utf8' })
  expect(wrong.status).toBe(2)
  expect(wrong.stderr).toContain('请指定设备')
})

test('the file stays small', () => {
  expect(readFileSync(file).length / 1_000).toBeLessThan(kilobytesMax)
})
