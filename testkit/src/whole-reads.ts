import { existsSync, readFileSync } from 'node:fs'
import type { PostgresConnection } from '@busbar/platform/kernel/database/connection.ts'
import pg from 'pg'
import type { SeenStatement } from './remember-statements.ts'

/** The different statements that a run wrote to its file. */
export function listSeenStatements(file: string): SeenStatement[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const seen = lines.map((line) => JSON.parse(line) as SeenStatement)
  return [...new Map(seen.map((each) => [each.text, each])).values()]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

/** Tables that stay small however long the platform runs, with the reason. */
const small: Readonly<Record<string, string>> = {
  alarm_rule_positions: 'one a node',
  brands: 'as many as operators make',
  brand_hosts: 'a few a brand',
  clock_job: 'one a job of the code',
  controllers: 'one a machine that is controlled now',
  code_tickets: 'of the last ten minutes',
  data_retention: 'one a space that chose its own',
  database_role: 'one row',
  fact_epoch: 'one row',
  facts_set_aside: 'facts that failed, for an operator to settle',
  login_challenges: 'of the last ten minutes',
  machine_list_trims: 'one row',
  machine_types: 'one a model',
  migrations: 'one a migration',
  nodes: 'one a process',
  project_stream_logs: 'one a process',
  project_stream_open: 'one a project that reports',
  project_stream_reader: 'one row',
  project_streams: 'one a project',
  rate_marks: 'of the windows that run now',
  reporting_servers: 'as many as operators add',
  revoked_nodes: 'one a node that an operator revoked',
  right_changes: 'of the last hour',
  sample_log_positions: 'one a process',
  sim_accounts: 'one an account at a carrier',
  sim_plans: 'at most 500',
  sms_templates: 'one a brand, language and kind',
  telemetry_state: 'one row',
  tile_sources: 'at most five a brand',
  visit_codes: 'of the last minute',
  visit_cookies: 'of visits of now',
  visit_tickets: 'of the last minute',
}

/** Whole reads that are meant, by the table and the source that sends them, with the reason. */
const meant: Readonly<Record<string, string>> = {
  'alarm_rules alarm-rules/engine-store.ts': 'asks of every rule whether its node is gone',
  'files modules/files/files-store.ts': 'the sum of all',
  'destinations destinations/lanes-store.ts':
    'beside the free lanes: of each as many as the senders have left',
  'facts kernel/database/day-partitions.ts': 'the partition of no day, which is empty',
  'facts kernel/facts/fact-partitions.ts': 'the partition of no day, which is empty',
  'projects projects/operator-store.ts': 'operators search and count all',
  'sample_chunks telemetry/store/retention.ts': 'the partition of no day, which is empty',
  'sample_stamps telemetry/store/row-mover.ts': 'rows of 1.5, which are moved away once',
  'sims modules/sims/sims-store.ts': 'counted at an import',
  'sims modules/sims/sims-views.ts': 'operators search and count all',
  'machines modules/sims/sims-views.ts': 'operators search and count all',
  'sims modules/sims/carrier-views.ts': 'operators see the age of all figures',
  'machines uploads/uploads-store.ts': 'asks of every picture whether it is shown, once a day',
  'site_plans uploads/uploads-store.ts': 'asks of every picture whether it is shown, once a day',
  'uploads uploads/uploads-store.ts': 'asks of every picture whether it is shown, once a day',
  'samples telemetry/store/old-rows.ts': 'rows of 1.5, which are moved away once',
  'sessions modules/accounts/people-store.ts': 'a brand that an operator removes',
  'visits visits/visit-cookies-store.ts': 'looked up by the few cookies',
}

/** Operators' pages count and sort everything; few people open them, behind a gate. */
const operatorsPages = /modules\/operator\/|scada-store|jobs-views|sms-stock-views/

/** Statements of these sources are sent once, while nothing else runs. */
const onceOnly =
  /kernel\/database\/(?:migrations|migrate|backup|generate|database-roles)|kernel\/jobs\/install|src\/cli\//

/** Partitions of one day, and tables of one test, exist only in the database of that test. */
const ofOneTest = /relation "\w+" does not exist/

const isMeant = (table: string, from: string) =>
  table in small ||
  operatorsPages.test(from) ||
  Object.keys(meant).some((each) => {
    const [name, source = ''] = each.split(' ')
    return name === table && from.includes(source)
  })

/** A statement that reads all rows of a table, which a growing table makes slower each day. */
export interface WholeRead extends SeenStatement {
  readonly tables: readonly string[]
}

/** The answer about some statements; `unknown`: those that cannot be explained. */
export interface StatementFaults {
  readonly whole: readonly WholeRead[]
  readonly unknown: readonly (SeenStatement & { readonly error: string })[]
}

/**
 * Asks the planner of a migrated database how it would execute statements if it avoided reading whole tables. A scan that
 * stays has no index to use, whatever the number of rows.
 */
export async function findWholeReads(
  connection: PostgresConnection,
  statements: readonly SeenStatement[],
): Promise<StatementFaults> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    // An empty table looks cheap to read; a row that is read and thrown away must not.
    await client.query('set enable_seqscan = off; set cpu_tuple_cost = 100; set cpu_index_tuple_cost = 100')
    const { rows } = await client.query<{ name: string; parent: string; partial: string[] }>(
      `select class.relname::text as name, coalesce(parent.relname, class.relname)::text as parent, array(
         select index.relname::text from pg_index join pg_class index on index.oid = indexrelid
         where indrelid = class.oid and indpred is not null) as partial
       from pg_class class left join pg_inherits on inhrelid = class.oid left join pg_class parent on parent.oid = inhparent
       where class.relkind in ('r', 'p') and class.relnamespace = 'public'::regnamespace`,
    )
    const parentOf = new Map(rows.map(({ name, parent }) => [name, parent]))
    const partial = new Set(rows.flatMap((row) => row.partial))
    const whole: WholeRead[] = []
    const unknown: (SeenStatement & { error: string })[] = []
    for (const statement of statements.filter(({ from }) => !onceOnly.test(from))) {
      for (const part of partsOf(statement.text)) {
        try {
          const tables = await readWhole(client, { text: part, values: statement.values }, partial)
          const named = [...new Set(tables.flatMap((name) => parentOf.get(name) ?? []))]
          const faults = named.filter((table) => !isMeant(table, statement.from))
          if (faults.length > 0) whole.push({ ...statement, tables: faults })
        } catch (error) {
          if (!ofOneTest.test(String(error))) unknown.push({ ...statement, error: String(error) })
        }
      }
    }
    return { whole, unknown }
  } finally {
    await client.end()
  }
}

/**
 * The tables that a statement reads from one end to the other. For many values the planner may read a whole index beside
 * them, although it has the rows of each. So a statement is asked again without such joins.
 */
async function readWhole(
  client: pg.Client,
  statement: Pick<SeenStatement, 'text' | 'values'>,
  partial: ReadonlySet<string>,
): Promise<readonly string[]> {
  const tables = await explain(client, statement, partial)
  if (tables.length === 0) return tables
  await client.query('set enable_mergejoin = off; set enable_hashjoin = off')
  try {
    return (await explain(client, statement, partial)).length > 0 ? tables : []
  } finally {
    await client.query('reset enable_mergejoin; reset enable_hashjoin')
  }
}

async function explain(
  client: pg.Client,
  { text, values }: Pick<SeenStatement, 'text' | 'values'>,
  partial: ReadonlySet<string>,
): Promise<readonly string[]> {
  const plan = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
    `explain (format json) ${text}`,
    [...values],
  )
  const found = plan.rows[0]?.['QUERY PLAN'][0]
  return found ? wholeOf(found.Plan, partial, false) : []
}

/** A sentence about each fault, with its remedy. */
export const describeFaults = ({ whole, unknown }: StatementFaults): string[] => [
  ...whole.map(
    ({ tables, from, text }) =>
      `${from} reads all of ${tables.join(', ')}: add an index, or say in testkit/src/whole-reads.ts why it is meant. ${shorten(text)}`,
  ),
  ...unknown.map(({ from, text, error }) => `${from} cannot be explained (${error}). ${shorten(text)}`),
]

const shorten = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200)

/** The parts of a text that have a plan; several come in one text where they save round trips. */
const partsOf = (text: string): string[] =>
  text
    .replace(/--[^\n]*$/gm, '')
    .split(/;\s*(?=\S|$)/)
    .map((part) => part.trim())
    .filter((part) => /^(?:select|insert|update|delete|merge|with)\b/i.test(part))

/** The tables that a plan reads from one end to the other. An index that holds few rows only, or a bound on rows, is fine. */
function wholeOf(node: PlanNode, partial: ReadonlySet<string>, isBound: boolean): string[] {
  const below = (node.Plans ?? []).flatMap((each) =>
    wholeOf(each, partial, isBound || node['Node Type'] === 'Limit'),
  )
  const table = node['Relation Name']
  const isIndex = /^Index/.test(node['Node Type'])
  if (node['Node Type'] === 'Seq Scan') return [...below, table ?? '']
  if (!isIndex || node['Index Cond'] || partial.has(node['Index Name'] ?? '')) return below
  return isBound && !node.Filter ? below : [...below, table ?? '']
}
