import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chooseDataDir } from './data-dir.ts'

const isRoot = process.getuid?.() === 0

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-checkout-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

it('the data folder is in the checkout for a normal user, wherever that is', () => {
  expect(chooseDataDir(folder, 1234)).toBe(join(folder, 'data'))
})

it.runIf(isRoot)(
  'for root it is in the checkout, or at one fixed place elsewhere if nobody may enter the checkout',
  async () => {
    const open = join(folder, 'with spaces')
    await chmod(folder, 0o755)
    await mkdir(open, { mode: 0o755 })
    expect(chooseDataDir(open)).toBe(join(open, 'data'))
    await chmod(folder, 0o700)
    const elsewhere = chooseDataDir(open)
    expect(elsewhere).toMatch(/^\/var\/lib\/busbar-[0-9a-f]{12}$/)
    expect(chooseDataDir(`${open}/`)).toBe(elsewhere)
    expect(chooseDataDir(folder)).not.toBe(elsewhere)
  },
)
