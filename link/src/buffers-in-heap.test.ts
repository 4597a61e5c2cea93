import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('this Node knows the flag that counts buffers in the heap, and takes it without a word', async () => {
  const file = JSON.stringify(new URL('./buffers-in-heap.ts', import.meta.url).href)
  const program = `import { countBuffersInHeap } from ${file}; countBuffersInHeap()`
  const told = await run(process.execPath, ['--no-warnings', '--input-type=module', '-e', program])
  expect(told).toEqual({ stdout: '', stderr: '' })
})
