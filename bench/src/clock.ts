/** Milliseconds of the machine's steady clock, the same in every process on it. */
export function steadyNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
