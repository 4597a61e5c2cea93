import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BootTime } from './boot-times.ts'
import type { LostSpan } from './lost-spans.ts'
import { syncFolder } from './sync-folder.ts'

/** State besides samples that has to survive a restart of the agent. */
export interface OutboxState {
  boots: readonly BootTime[]
  lost: readonly LostSpan[]
}

/**
 * The state in a folder; an empty one if there is none, or if it cannot be read, which is reported to
 * `onDamaged`.
 */
export async function readState(folder: string, onDamaged: () => void): Promise<OutboxState> {
  let text: string
  try {
    text = await readFile(join(folder, 'state.json'), 'utf8')
  } catch {
    return { boots: [], lost: [] }
  }
  try {
    const { boots, lost } = JSON.parse(text) as OutboxState
    return { boots: boots.filter(isBootTime), lost: lost.filter(isLostSpan) }
  } catch {
    onDamaged()
    return { boots: [], lost: [] }
  }
}

/** Replaces the state: after a power failure the file has the old one or the new one, complete. */
export async function writeState(folder: string, state: OutboxState): Promise<void> {
  const path = join(folder, 'state.json')
  const file = await open(`${path}.new`, 'w')
  try {
    await file.writeFile(JSON.stringify(state))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  await syncFolder(dirname(path))
}

function isBootTime(value: Partial<BootTime> | null): boolean {
  return typeof value?.boot === 'string' && Number.isSafeInteger(value.startedAt)
}

function isLostSpan(value: Partial<LostSpan> | null): boolean {
  return [value?.from, value?.to, value?.samples].every(Number.isSafeInteger)
}
