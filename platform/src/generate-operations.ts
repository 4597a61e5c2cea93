import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeGenerated } from './operations-text.ts'

const document = join(import.meta.dirname, '..', '..', 'docs', 'operations.md')

const checkOnly = process.argv.includes('--check')
const written = await readFile(document, 'utf8')
const text = writeGenerated(written)
if (text === written) {
  console.log('the tables of docs/operations.md are up to date')
} else if (checkOnly) {
  console.error('the tables of docs/operations.md are not what the code declares: run npm run generate')
  process.exitCode = 1
} else {
  await writeFile(document, text)
  console.log('the tables of docs/operations.md were written')
}
