import type { FileAnswer } from '@busbar/contract'

/** The rights are asked for again after so long. */
const rightMs = 1_000

/**
 * A file whose reader's right is asked for again while it is sent. What `requireRight` throws cuts the answer, which has
 * begun, so that it is no whole file.
 */
export function whileAllowed(
  file: FileAnswer,
  now: () => number,
  requireRight: () => Promise<void>,
): FileAnswer {
  return {
    ...file,
    async *open(from, to) {
      let checkedAt = now()
      for await (const piece of file.open(from, to)) {
        if (Math.abs(now() - checkedAt) >= rightMs) {
          await requireRight()
          checkedAt = now()
        }
        yield piece
      }
    },
  }
}
