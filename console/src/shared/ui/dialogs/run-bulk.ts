export interface BulkFailure<Row> {
  readonly row: Row
  readonly error: unknown
}

/** Runs an act for each row, one after the other, reports the progress, and returns those that failed. */
export async function runBulk<Row>(
  rows: readonly Row[],
  run: (row: Row) => Promise<unknown>,
  onDone: (count: number) => void,
): Promise<BulkFailure<Row>[]> {
  const failures: BulkFailure<Row>[] = []
  for (const [place, row] of rows.entries()) {
    try {
      await run(row)
    } catch (error) {
      failures.push({ row, error })
    }
    onDone(place + 1)
  }
  return failures
}

/** Runs an act on rows in parts, one call each; if a call fails, all of its rows do. */
export async function runParts<Row>(
  rows: readonly Row[],
  run: (rows: readonly Row[]) => Promise<readonly BulkFailure<Row>[]>,
  rowsPerCall: number,
  onDone: (count: number) => void,
): Promise<BulkFailure<Row>[]> {
  const failures: BulkFailure<Row>[] = []
  for (let from = 0; from < rows.length; from += rowsPerCall) {
    const part = rows.slice(from, from + rowsPerCall)
    try {
      failures.push(...(await run(part)))
    } catch (error) {
      failures.push(...part.map((row) => ({ row, error })))
    }
    onDone(from + part.length)
  }
  return failures
}
