import type { FileAnswer } from '@busbar/contract'

/** Interval at which the rights are checked again (rules/data-centre.md: exports). */
const rightMs = 1_000

/**
 * A file whose reader's right is checked again while it is sent. An error of `requireRight` cuts the answer, which has
 * begun, so that the file is visibly incomplete.
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
