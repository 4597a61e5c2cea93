import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext } from 'playwright-core'
import { moveDate } from './move-date.ts'

/** The clock of the product's programs of one test, which may be put forward. */
export interface TestClock {
  /** For the programs that use it. */
  readonly env: Readonly<Record<string, string>>
  /** Difference to the real clock. */
  readonly aheadMs: number
  /** The time by it, epoch milliseconds. */
  now(): number
  putForward(ms: number): Promise<void>
  /** Moves pages that a browser opens from now on to the current time of this clock. */
  moveBrowser(context: BrowserContext): Promise<void>
  close(): Promise<void>
}

/** Makes a clock that begins with the real time. */
export async function startTestClock(): Promise<TestClock> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-clock-'))
  const file = join(dir, 'ahead')
  let aheadMs = 0
  const write = async () => {
    await writeFile(`${file}.new`, String(aheadMs))
    await rename(`${file}.new`, file)
  }
  await write()
  return {
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'moved-clock.ts')).href}`,
      BUSBAR_TEST_CLOCK: file,
    },
    get aheadMs() {
      return aheadMs
    },
    now: () => Date.now() + aheadMs,
    async putForward(ms) {
      aheadMs += ms
      await write()
    },
    async moveBrowser(context) {
      await context.addInitScript(`(${moveDate})(() => ${aheadMs})`)
    },
    close: () => rm(dir, { recursive: true, force: true }),
  }
}
