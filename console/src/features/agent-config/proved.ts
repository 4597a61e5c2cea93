/** Does what needs the password, and asks for it; undefined where the person did not give it. */
export type Proved = <T>(work: () => Promise<T>) => Promise<T | undefined>

/** The person did not give the password that was asked for. */
export class NotProved extends Error {}

/** Asks for the password where it is needed, and rejects with `NotProved` where it was not given. */
export async function readOrAsk<T>(proved: Proved, read: () => Promise<T>): Promise<T> {
  const answer = await proved(read)
  if (answer === undefined) throw new NotProved()
  return answer
}
