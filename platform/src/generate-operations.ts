import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeGenerated } from './operations-text.ts'

const root = join(import.meta.dirname, '..', '..')
const document = join(root, 'docs', 'operations.md')

const checkOnly = process.argv.includes('--check')
const written = await readFile(document, 'utf8')
const text = writeGenerated(written, await readFile(join(root, 'bench', 'RESULTS.md'), 'utf8'))
if (text === written) {
  console.log('the tables of docs/operations.md are up to date')
} else if (checkOnly) {
  console.error('the tables of docs/operations.md are not what the code declares: run npm run generate')
  process.exitCode = 1
} else {
  await writeFile(document, text)
  console.log('the tables of docs/operations.md were written')
}
