export interface BulkFailure<Row> {
  readonly row: Row
  readonly error: unknown
}

/** Does something for each row, one after the other, tells how many are through, and answers those that failed. */
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
