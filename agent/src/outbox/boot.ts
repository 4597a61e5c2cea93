import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** This run of the computer. If the system gives no id, this run of the agent counts as one. */
export const bootId: string = readBootId() ?? randomUUID()

/**
 * The start of process `pid`, in ticks since the boot; null if it does not run, undefined if the system
 * cannot tell.
 */
export function processStart(pid: number): string | null | undefined {
  try {
    // The name of the program, in brackets, may itself hold blanks and brackets.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return readBootId() === undefined ? undefined : null
  }
}

function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}
