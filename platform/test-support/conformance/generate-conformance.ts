import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeConformanceText } from './conformance-text.ts'

const document = join(import.meta.dirname, '../../../docs/mqtt-conformance.md')

const checkOnly = process.argv.includes('--check')
const text = writeConformanceText()
const written = await readFile(document, 'utf8').catch(() => '')
if (text === written) {
  console.log('docs/mqtt-conformance.md is up to date')
} else if (checkOnly) {
  console.error('docs/mqtt-conformance.md is not what the statements make: run npm run generate')
  process.exitCode = 1
} else {
  await writeFile(document, text)
  console.log('docs/mqtt-conformance.md was written')
}
