import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A platform that runs on this machine, as its commands find it. */
export interface RunningPlatform {
  readonly pid: number
  /** Undefined with MQTT_PLAIN=0. */
  readonly mqttUrl?: string
  /** Whether it was started for demo. */
  readonly demo: boolean
}

const fileOf = (dataDir: string): string => path.join(dataDir, 'listening.json')

/** Leaves word in the data folder; the answered function takes it away again. */
export async function announceListening(
  dataDir: string,
  listening: Omit<RunningPlatform, 'pid'>,
): Promise<() => Promise<void>> {
  await writeFile(fileOf(dataDir), JSON.stringify({ pid: process.pid, ...listening }), { mode: 0o600 })
  return () => rm(fileOf(dataDir), { force: true })
}

/** The platform that runs on this data folder; undefined when none does. */
export function findListening(dataDir: string): RunningPlatform | undefined {
  try {
    const found = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as RunningPlatform
    // A killed platform leaves its file behind; this throws if there is no such process.
    process.kill(found.pid, 0)
    return found
  } catch {
    return undefined
  }
}
