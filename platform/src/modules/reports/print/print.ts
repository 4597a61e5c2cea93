import { Worker } from 'node:worker_threads'
import type { ReportData } from '../report-data.ts'

/** The order to a thread; with `picturesMax` it draws pages as pictures instead of a PDF. */
export interface PrintOrder {
  readonly data: ReportData
  readonly picturesMax?: number
}

export interface PrintAnswer {
  readonly pages: number
  readonly pdf: Uint8Array
  readonly pictures: readonly string[]
}

/** A report of 100 pages takes half of it. */
const heapMbMax = 384
const printMsMax = 120_000

/** Reports that are printed at the same time; others wait. */
const printsMax = 1
let printing = 0
const waiting: (() => void)[] = []

/** The bytes of a report as PDF. */
export async function printPdf(data: ReportData, signal?: AbortSignal): Promise<Uint8Array> {
  return (await print({ data }, signal)).pdf
}

/** The first pages of a report as SVG, and how many it has. */
export async function printPictures(
  data: ReportData,
  picturesMax: number,
  signal?: AbortSignal,
): Promise<{ pages: number; pictures: readonly string[] }> {
  return print({ data, picturesMax }, signal)
}

/** In a separate thread with a memory limit, so that the process keeps serving. */
async function print(order: PrintOrder, signal?: AbortSignal): Promise<PrintAnswer> {
  if (printing >= printsMax) await new Promise<void>((resolve) => waiting.push(resolve))
  else printing++
  try {
    signal?.throwIfAborted()
    return await run(order, signal)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else printing--
  }
}

function run(order: PrintOrder, signal: AbortSignal | undefined): Promise<PrintAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PrintAnswer>()
  const worker = new Worker(new URL('./print-worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  })
  const timer = setTimeout(() => reject(new Error('the report takes too long to print')), printMsMax)
  const stop = () => reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the report was not printed')))
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    return worker.terminate()
  })
}
