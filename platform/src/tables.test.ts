import {
  findBlindToOwners,
  findSecondWriters,
  moduleOf,
  readSources,
  readTables,
  readTablesOfMachines,
  tablesNamed,
  writesUnnamed,
} from '@busbar/platform/test-support/tables/scan.ts'
import { describe, expect, test } from 'vitest'

/** Files that write tables of modules, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'demo/demo-alarms.ts': 'makes the demo’s rules and a week of alarms, at instants of the past',
  'demo/demo-enterprise.ts': 'makes the demo’s enterprise in one transaction, at instants of the past',
  'demo/demo-messages.ts': 'makes the demo’s messages and applications, at instants of the past',
  'demo/demo-projects.ts': 'makes the demo’s projects, at instants of the past',
  'demo/demo-rows.ts': 'makes the demo’s people and machines in one transaction, at instants of the past',
  'demo/demo-settings.ts': 'sets what the demo’s people set at their machines, with them',
  'demo/demo-told.ts': 'makes the demo’s notifications of its alarms, at instants of the past',
  'cli/load-machines.ts': 'makes and removes thousands of machines for a load test, by statements over sets',
}

/** Files that write tables by names made at run time. */
const unnamed: Readonly<Record<string, string>> = {
  'kernel/facts/epoch.ts': 'numbers the rows of the kernel’s own streams anew in a new cluster',
}

/** Modules that write tables of machines and leave them at a change of owner, each with the reason. */
const keptForNextOwner: Readonly<Record<string, string>> = {
  'machine-register':
    'news of places are removed by places, and news from before the owner when they are taken',
  messages: 'a message belongs to its reader, and says nothing new to the next owner',
  realtime: 'keeps nothing of a machine but when its state was told last',
}

const telemetryTables = new Set([
  'samples',
  'tags',
  'tag_settings',
  'tag_latest',
  'ingest_batches',
  'sample_stamps',
  'sample_log',
  'sample_log_positions',
  'sample_chunks',
  'sample_averages',
  'sample_moves',
  'lost_spans',
  'telemetry_state',
])

/** Files outside of telemetry that name its tables. */
const telemetryNamed: Readonly<Record<string, string>> = {
  'cli/load-machines.ts': 'fills and empties the store for a load test',
  'demo/demo-alarms.ts': 'makes the demo’s rules and a week of alarms, at instants of the past',
  'demo/demo-rows.ts': 'names the variables of machines of the demo whose protocol has no names',
  'demo/demo-settings.ts': 'sets a variable’s type and a replaced meter, with the machines',
  'kernel/database/database-roles.ts': 'finds out in which of two databases the samples are',
  'modules/writes/writes-store.ts': 'tells the tag of a write by the name it had then',
}

/** Tables of other modules that telemetry names, by file. */
const namedByTelemetry: Readonly<
  Record<string, { readonly tables: readonly string[]; readonly why: string }>
> = {
  'modules/telemetry/tags-store.ts': {
    tables: ['machines'],
    why: 'the id and owned_since, locked in the transaction that stores, so that no value reaches the next owner',
  },
  'modules/telemetry/lost-spans-store.ts': {
    tables: ['machines'],
    why: 'the id alone: a machine that was removed lost nothing',
  },
  'modules/telemetry/gaps-store.ts': {
    tables: ['machine_connections', 'machines'],
    why: 'a history tells when its machine was away, of its present owner’s time',
  },
  'modules/telemetry/newest-in-logs.ts': {
    tables: ['machine_connections'],
    why: 'the node that had a machine before, whose log may have its newest values',
  },
}

const files = readSources()
const tables = readTables()
const product = files.filter(({ file }) => !(file in exceptions))

describe('a table', () => {
  test('has one writing module', () => {
    expect(findSecondWriters(product, tables)).toEqual([])
  })

  test('with a second writing module is found, by Kysely and by SQL', () => {
    const planted = [
      { file: 'modules/brands/a.ts', text: "db.updateTable('machines')" },
      { file: 'kernel/b.ts', text: 'sql`\n  insert   into users (id)`' },
      { file: 'edge/c.ts', text: "'delete from tags where id = $1'" },
    ]
    const found = findSecondWriters([...product, ...planted], tables)
    for (const { file } of planted) expect(found.some((line) => line.endsWith(file))).toBe(true)
  })

  test('is named where it is written', () => {
    expect(product.filter(writesUnnamed).map(({ file }) => file)).toEqual(Object.keys(unnamed))
    expect(writesUnnamed({ file: 'a.ts', text: 'delete from $' + '{table}' })).toBe(true)
    expect(writesUnnamed({ file: 'a.ts', text: 'db.deleteFrom(table)' })).toBe(true)
  })

  test('in the list of exceptions is still written by its exception', () => {
    const writers = findSecondWriters(files, tables).join()
    for (const file of Object.keys(exceptions)) {
      const alone = findSecondWriters([...product, ...files.filter((each) => each.file === file)], tables)
      expect(alone.length, `${file} in ${writers}`).toBeGreaterThan(0)
    }
  })
})

describe('a module that keeps something about a machine', () => {
  const ofMachines = readTablesOfMachines()

  test('begins it anew for the next owner, or reads it since the owner has the machine', () => {
    expect([...ofMachines]).toEqual(expect.arrayContaining(['alarms', 'lost_spans', 'machine_grants']))
    expect(findBlindToOwners(product, ofMachines)).toEqual(Object.keys(keptForNextOwner))
  })

  test('and ignores the next owner is found', () => {
    const planted = { file: 'modules/notes/a.ts', text: "db.insertInto('alarms')" }
    expect(findBlindToOwners([...product, planted], ofMachines)).toContain('notes')
    const following = { file: 'modules/notes/b.ts', text: "onNextOwner('notes', end)" }
    expect(findBlindToOwners([...product, planted, following], ofMachines)).not.toContain('notes')
  })
})

describe('telemetry could move to another database', () => {
  const isInside = (file: string) => moduleOf(file) === 'telemetry'

  test('because no statement outside of it names its tables', () => {
    const naming = files
      .filter(({ file }) => !isInside(file))
      .filter((file) => [...tablesNamed(file, tables)].some((table) => telemetryTables.has(table)))
    expect(naming.map(({ file }) => file)).toEqual(Object.keys(telemetryNamed).sort())
  })

  test('because its statements name no other tables, but for ids', () => {
    const naming = files
      .filter(({ file }) => isInside(file))
      .map((file) => [
        file.file,
        [...tablesNamed(file, tables)].filter((table) => !telemetryTables.has(table)).sort(),
      ])
      .filter(([, named]) => named?.length)
    const allowed = Object.entries(namedByTelemetry).map(([file, { tables: named }]) => [file, [...named]])
    expect(Object.fromEntries(naming)).toEqual(Object.fromEntries(allowed))
  })
})
