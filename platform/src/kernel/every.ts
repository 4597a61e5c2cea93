import type { Logger } from './logger.ts'

/**
 * Does `work` every `ms` milliseconds until `clearInterval`. Work that throws or rejects is logged, and its next turn
 * comes: out of a timer the error would end the process (rules/operations.md: failures of a process). The timer alone does
 * not keep the process alive.
 */
export function every(ms: number, work: () => unknown, logger: Pick<Logger, 'error'>): NodeJS.Timeout {
  const turn = async () => {
    try {
      await work()
    } catch (err) {
      logger.error({ err }, 'timer.failed')
    }
  }
  return setInterval(() => void turn(), ms).unref()
}
