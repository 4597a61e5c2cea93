import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The text of a pdf as another program reads it, laid out as on its pages. */
export async function readPdf(pdf: Buffer): Promise<string> {
  const reading = run(process.env.BUSBAR_PDFTOTEXT ?? 'pdftotext', ['-layout', '-', '-'])
  reading.child.stdin?.end(pdf)
  return (await reading).stdout
}
