import { readFile, rename, writeFile } from 'node:fs/promises'
import type { SavedModel } from './machine-model.ts'

/** The state of a machine that is kept over a restart. */
export interface MachineMemory {
  /** All of its past from this instant on was acknowledged. */
  toldFromAt?: number
  /** The state of its process, once its past is sent. */
  model?: SavedModel
}

/** A simulation's memory: the part of the past that was sent, and the states of its processes. */
export interface SimulationMemory {
  of(code: string): MachineMemory
  /** Written as a whole and moved into place: a kill leaves the old file, never half of the new one. */
  save(): Promise<void>
}

interface MemoryFile {
  madeAt: number
  machines: Record<string, MachineMemory>
}

/** Reads the memory of an earlier run of the demo made at `madeAt`; empty for another demo. */
export async function openSimulationMemory(
  file: string | undefined,
  madeAt: number,
): Promise<SimulationMemory> {
  const machines = file === undefined ? {} : await readMachines(file, madeAt)
  let running = Promise.resolve()
  let next: Promise<void> | undefined
  return {
    of(code) {
      machines[code] ??= {}
      return machines[code]
    },
    save() {
      // Requests during a write share the write after it.
      next ??= running.then(() => {
        next = undefined
        running = write(file, { madeAt, machines })
        return running
      })
      return next
    },
  }
}

async function readMachines(file: string, madeAt: number): Promise<Record<string, MachineMemory>> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as MemoryFile
    return kept.madeAt === madeAt ? kept.machines : {}
  } catch {
    // The file is missing or unreadable: the machines start over.
    return {}
  }
}

async function write(file: string | undefined, kept: MemoryFile): Promise<void> {
  if (file === undefined) return
  const draft = `${file}.draft`
  await writeFile(draft, JSON.stringify(kept), { mode: 0o600 })
  await rename(draft, file)
}
