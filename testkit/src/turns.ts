/**
 * Which of the cases that take turns are this run's. `npm test` draws the number from the commit, so that the same commit
 * runs the same cases; `npm run test:long` runs all of them.
 */
const turn = () => Number(process.env.BUSBAR_TEST_TURN ?? 0)

/** Whether every case runs, not only those of this turn. */
export const isLongRun = (): boolean => process.env.BUSBAR_TEST_LONG === '1'

/**
 * The cases of this turn: `count` of them in a row, in a long run all. `story` names the list of cases, so
 * that in one run different stories take different cases.
 */
export function pickTurns<T>(story: string, cases: readonly T[], count = 1): T[] {
  if (isLongRun() || count >= cases.length) return [...cases]
  const first = (turn() * count + numberOf(story)) % cases.length
  return [...cases, ...cases].slice(first, first + count)
}

/** Turns in which the cases within a story have all been taken. */
const turnsWithin = 12

/**
 * The stories of this turn: one of each group, in a long run all. By slower turns than the cases within, or a story
 * would meet the same of its cases each time.
 */
export function pickStories(groups: readonly (readonly string[])[]): string[] {
  if (isLongRun()) return groups.flat()
  const slowTurn = Math.floor(turn() / turnsWithin)
  return groups.map((group) => group[(slowTurn + numberOf(group.join())) % group.length] as string)
}

const numberOf = (text: string): number => [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)

/** A number from 0 to below `below` that differs between commits; the same commit draws the same. */
export const drawSeed = (below: number): number => turn() % below
