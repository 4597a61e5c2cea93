/** Runs work that needs the password, and asks for it; resolves to undefined if the person cancels. */
export type Proved = <T>(work: () => Promise<T>) => Promise<T | undefined>

/** The person cancelled the password dialog. */
export class NotProved extends Error {}

/** Asks for the password if it is needed, and rejects with `NotProved` if the person cancels. */
export async function readOrAsk<T>(proved: Proved, read: () => Promise<T>): Promise<T> {
  const answer = await proved(read)
  if (answer === undefined) throw new NotProved()
  return answer
}
