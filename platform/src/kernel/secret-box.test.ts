import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSecretBox, openSecretBox } from './secret-box.ts'

test('a sealed text opens for its owner only, and not after a change', () => {
  const box = createSecretBox()
  const sealed = box.seal(Buffer.from('secret'), 'of 1')
  expect(box.open(sealed, 'of 1')?.toString()).toBe('secret')
  expect(box.open(sealed, 'of 2')).toBeUndefined()
  expect(createSecretBox().open(sealed, 'of 1')).toBeUndefined()
  sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1)
  expect(box.open(sealed, 'of 1')).toBeUndefined()
  expect(box.open(Buffer.alloc(3), 'of 1')).toBeUndefined()
})

test('the key is created once, readable for its owner only, and a file with other contents is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-box-'))
  try {
    const file = join(folder, 'data', 'secrets.key')
    const sealed = (await openSecretBox(file)).seal(Buffer.from('secret'), 'of 1')
    expect((await openSecretBox(file)).open(sealed, 'of 1')?.toString()).toBe('secret')
    expect((await stat(file)).mode & 0o077).toBe(0)
    await writeFile(file, 'something else')
    await expect(openSecretBox(file)).rejects.toThrow('holds no key')
  } finally {
    await rm(folder, { recursive: true })
  }
})
