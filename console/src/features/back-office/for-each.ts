/** Does something for each of several rows, one after the other; the first failure ends it. */
export async function forEach<Row>(rows: readonly Row[], run: (row: Row) => Promise<unknown>): Promise<void> {
  for (const row of rows) await run(row)
}
