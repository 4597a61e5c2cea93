import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** This run of the computer. Where the system gives it no name it is this run of the agent. */
export const bootId: string = readBootId() ?? randomUUID()

/** When process `pid` began, in ticks since the boot; null when there is none, undefined where nobody can tell. */
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
