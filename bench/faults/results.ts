import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkout } from '../../e2e/src/site.ts'
import type { RunResult } from './run.ts'
import type { Scale, Schedule, Subject } from './schedule.ts'

/** The file of results, one JSON object per line. */
export const resultsFile = join(checkout, '.busbar/faults/results.jsonl')

/** Runs whose seeds mean the same. */
interface Series {
  readonly subject: Subject
  readonly scale: Scale
}

type Line = RunResult & Series

/** Empties it. */
export async function startResults(): Promise<void> {
  await mkdir(dirname(resultsFile), { recursive: true })
  await writeFile(resultsFile, '')
}

export async function appendResult(result: RunResult, series: Series): Promise<void> {
  await mkdir(dirname(resultsFile), { recursive: true })
  await appendFile(resultsFile, `${JSON.stringify({ ...result, ...series } satisfies Line)}\n`)
}

/**
 * The results of earlier runs of this series, by their seed. A line that a power cut left incomplete is
 * skipped.
 */
export async function readResults({ subject, scale }: Series): Promise<Map<number, RunResult>> {
  const text = await readFile(resultsFile, 'utf8').catch(() => '')
  const results = new Map<number, RunResult>()
  for (const line of text.split('\n')) {
    const result = parseLine(line)
    if (result?.scale === scale && result.subject === subject) results.set(result.seed, result)
  }
  return results
}

function parseLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}

/** Keeps the output of a failed run's programs; returns the folder. */
export async function keepOutput(
  { subject, seed }: Pick<Schedule, 'subject' | 'seed'>,
  output: string,
): Promise<string> {
  const file = join(dirname(resultsFile), `${subject}-${seed}.log`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, output)
  return file
}
