import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase } from '@busbar/testkit'
import { expect, it } from 'vitest'
import { startMain } from '../test-support/processes/main-process.ts'

const run = promisify(execFile)
/** At rest it takes 145 to 165 MB; with a young generation that grew during the start it took 225. */
const residentMbMax = 195

/** The packages and files that are read by importing the whole platform, as addresses. */
async function listRead(): Promise<string[]> {
  const platform = pathToFileURL(`${import.meta.dirname}/run.ts`).href
  const script = `
    import { registerHooks } from 'node:module'
    const read = []
    registerHooks({ load: (url, context, next) => { read.push(url); return next(url, context) } })
    await import(${JSON.stringify(platform)})
    // The end of a long line is lost where the process ends before a busy reader took it.
    process.stdout.write(JSON.stringify(read), () => process.exit())`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script])
  return JSON.parse(stdout)
}

it('the start loads the libraries that every platform needs, and none of single requests', async () => {
  const read = await listRead()
  const isRead = (part: string) => read.some((url) => url.includes(part))
  expect(isRead('/node_modules/fastify/')).toBe(true)
  for (const name of ['nodemailer', 'libphonenumber-js', 'ip2region', 'tldts'])
    expect(isRead(`/node_modules/${name}/`), name).toBe(false)
  expect(isRead('/database/migrations/')).toBe(false)
})

it('a platform at rest gives back the memory of its start', async () => {
  const database = await createTestDatabase({ poolMax: 2 })
  const main = await startMain({ DATABASE_URL: database.url })
  try {
    const status = await readFile(`/proc/${main.child.pid}/status`, 'utf8')
    expect(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024).toBeLessThan(residentMbMax)
  } finally {
    await main.stop()
    await database.drop()
  }
})
