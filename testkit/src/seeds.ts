/* How long suites of random histories, kills and faults go on: that alone differs between runs of the tests. */

const seedsOfRun = 2
const seedsOfLongRun = 20

/** Whether this is `npm run test:long`. */
export const isLongRun = (): boolean => process.env.BUSBAR_TEST_LONG === '1'

/**
 * The seeds of a suite, in a row: 2 in `npm test`, 20 in `npm run test:long`, and `BUSBAR_TEST_SEEDS=100` takes so many
 * by hand. `BUSBAR_TEST_SEED=17` takes this one alone, to repeat a failure.
 */
export function pickSeeds(first = 1): number[] {
  const { BUSBAR_TEST_SEED: only, BUSBAR_TEST_SEEDS: count } = process.env
  if (only !== undefined) return [Number(only)]
  const wanted = Number(count ?? (isLongRun() ? seedsOfLongRun : seedsOfRun))
  return Array.from({ length: wanted }, (_, place) => first + place)
}
