import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const source = path.resolve(import.meta.dirname, '../../src')

/** A product source file, by its path below platform/src. */
export interface SourceFile {
  readonly file: string
  readonly text: string
}

/** Every product source file; migrations belong to no module. */
export function readSources(): SourceFile[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/migrations/'))
    .sort()
    .map((file) => ({ file, text: withoutComments(readFileSync(path.join(source, file), 'utf8')) }))
}

/** The tables of the product, as schema.gen.ts has them. */
export function readTables(): Set<string> {
  const schema = readFileSync(path.join(source, 'kernel/database/schema.gen.ts'), 'utf8')
  const tables = schema.slice(schema.indexOf('interface DB'))
  return new Set([...tables.matchAll(/^ {2}'?([a-z_.]+)'?: \w+$/gm)].map(([, name = '']) => name))
}

/** The tables with rows of machines. */
export function readTablesOfMachines(): Set<string> {
  const schema = readFileSync(path.join(source, 'kernel/database/schema.gen.ts'), 'utf8')
  const names = [...schema.matchAll(/^export interface (\w+)Table \{\n(?: {2}.*\n)*? {2}machine_id:/gm)]
  return new Set(
    names.map(([, name = '']) => name.replaceAll(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase()),
  )
}

/** The module a file belongs to: a folder of modules/, else a folder or file of platform/src. */
export function moduleOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'modules' ? second : first
}

const kyselyWrite = /\b(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(\s*\[?\s*['"`]([\w.]+)/g
const sqlWrite =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy|update)\s+(?:only\s+)?(?:public\.)?"?([a-z_]\w*(?:\.\w+)?)/gi
const kyselyRead = /(?:selectFrom|[jJ]oin(?:Lateral)?|using)\(\s*\[?\s*['"`]([\w.]+)/g
const sqlRead = /\b(?:from|join|using)\s+(?:only\s+)?(?:public\.)?"?([a-z_]\w*(?:\.\w+)?)/gi
/** A statement that writes a table whose name is made at run time. */
const madeUpWrite =
  /\b(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(\s*(?!['"`)])|\b(?:insert\s+into|delete\s+from|merge\s+into|update)\s+\$\{/gi

const namesIn = (text: string, patterns: readonly RegExp[], tables: ReadonlySet<string>) =>
  new Set(
    patterns
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .map(([, name = '']) => name)
      .filter((name) => tables.has(name)),
  )

/** The tables that a file inserts into, updates, deletes from, merges into or copies into. */
export const tablesWritten = ({ text }: SourceFile, tables: ReadonlySet<string>): Set<string> =>
  namesIn(text, [kyselyWrite, sqlWrite], tables)

/** The tables that a file names in any statement. */
export const tablesNamed = ({ text }: SourceFile, tables: ReadonlySet<string>): Set<string> =>
  namesIn(text, [kyselyWrite, sqlWrite, kyselyRead, sqlRead], tables)

/** Whether a file writes a table whose name no scan can read. */
export const writesUnnamed = ({ text }: SourceFile): boolean => text.search(madeUpWrite) >= 0

/** The first two places that write one table from two modules, for each table. */
export function findSecondWriters(files: readonly SourceFile[], tables: ReadonlySet<string>): string[] {
  const writers = new Map<string, string>()
  const found = new Map<string, string>()
  for (const file of files) {
    for (const table of tablesWritten(file, tables)) {
      const first = writers.get(table) ?? file.file
      writers.set(table, first)
      if (moduleOf(first) !== moduleOf(file.file) && !found.has(table))
        found.set(table, `${table}: ${first} and ${file.file}`)
    }
  }
  return [...found.values()].sort()
}

const ofOwner = /\b(?:onNextOwner|isSinceOwned|findOwnedSince)\(|kinds: \[[^\]]*'machine\.ownerChanged'/

/** The modules that write these tables without following a change of owner or reading by the owner's time. */
export function findBlindToOwners(files: readonly SourceFile[], tables: ReadonlySet<string>): string[] {
  const writing = files
    .filter((file) => tablesWritten(file, tables).size > 0)
    .map(({ file }) => moduleOf(file))
  const seeing = new Set(files.filter(({ text }) => ofOwner.test(text)).map(({ file }) => moduleOf(file)))
  return [...new Set(writing)].filter((module) => !seeing.has(module)).sort()
}

function withoutComments(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
    .join('\n')
}
